import json
from cowboy_sdk import Address, actor, public, runtime


@actor
class Vault:
    """Lets people put points in and lend them; lending to oneself forgets to take first."""

    @public
    def init(self, payload):
        self.storage["total"] = 0
        self.storage["people"] = []

    def _set(self, who, n):
        people = self.storage["people"]
        if who.hex() not in people:
            self.storage["people"] = people + [who.hex()]
        self.storage["of:" + who.hex()] = n

    def _of(self, who):
        return self.storage.get("of:" + who.hex(), 0)

    @public
    def put(self, payload):
        """payload: JSON {"amount": points}"""
        n = json.loads(payload)["amount"]
        if not isinstance(n, int) or n < 1 or n > 1000:
            raise ValueError("1 to 1000")
        self._set(runtime.get_sender(), self._of(runtime.get_sender()) + n)
        self.storage["total"] += n

    @public
    def lend(self, payload):
        """payload: JSON {"to": address, "amount": points}"""
        request = json.loads(payload)
        to, n = Address.from_hex(request["to"]).to_bytes(), request["amount"]
        who = runtime.get_sender()
        mine, theirs = self._of(who), self._of(to)
        if not isinstance(n, int) or n < 0 or n > mine:
            raise ValueError("you have " + str(mine))
        self._set(who, mine - n)
        self._set(to, theirs + n)

    @public
    def check(self, payload):
        found = sum([self.storage["of:" + who] for who in self.storage["people"]])
        return str(found - self.storage["total"]).encode()
