from cowboy_sdk import actor, call
from cowboy_sdk.errors import ActorCallError


class Closed(Exception):
    pass


def share(total, people):
    return total / people


@actor
class Desk:
    def plain(self, payload):
        raise ValueError("the desk is closed")

    def divide(self, payload):
        rate = share(100, len(payload) - len(payload))
        return rate

    def subscript(self, payload):
        table = {"a": {"b": 1}}
        return table["a"]["c"] + 1

    def number(self, payload):
        return {1: 2}[3]

    def attribute(self, payload):
        return payload.nothing

    def own(self, payload):
        raise Closed("for today")

    def empty(self, payload):
        raise Closed

    def several(self, payload):
        return share(
            1,
            0,
        )

    def descend(self, n):
        return self.descend(n + 1) if n < 9 else 1 // 0

    def recursion(self, payload):
        return self.descend(0)

    def generator(self, payload):
        return sum(10 // n for n in (2, 1, 0))

    def cause(self, payload):
        try:
            share(1, 0)
        except ZeroDivisionError as e:
            raise Closed("no people") from e

    def handling(self, payload):
        try:
            share(1, 0)
        except ZeroDivisionError:
            return payload.missing

    def hidden(self, payload):
        try:
            share(1, 0)
        except ZeroDivisionError:
            raise Closed("never mind") from None

    def asserted(self, payload):
        count = 3
        assert count < 3, "too many"

    def through(self, payload):
        paid = call(payload, "pay", [7])
        return paid

    def twice(self, payload):
        return self.through(payload)

    def caught(self, payload):
        try:
            call(payload, "pay", [7])
        except ActorCallError as e:
            raise Closed("the till says no") from e

    def nested(self, payload):
        return call(payload, "chained", [])
