from cowboy_sdk import actor


@actor
class Till:
    def check(self, amount):
        if amount > 5:
            raise ValueError("the till has no %d" % amount)

    def pay(self, amount):
        self.check(amount)
        return amount

    def chained(self):
        try:
            self.pay(9)
        except ValueError as e:
            raise KeyError("purse") from e

    def open(self, payload):
        return b"open"
