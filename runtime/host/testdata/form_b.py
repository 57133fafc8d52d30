from cowboy_sdk import actor, public


@actor
class Counter:
    @public
    def increment(self, payload):
        n = (self.storage["n"] or 0) + 1
        self.storage["n"] = n
        return n

    def hidden(self, payload):
        return b"hidden"


def increment(payload):
    return Counter().increment(payload)


def hidden(payload):
    return Counter().hidden(payload)


def free(payload):
    return b"free"
