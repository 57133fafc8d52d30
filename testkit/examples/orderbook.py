"""An order book for one pair: limit orders, price-time priority, matched inside the transaction that brings them.

Balances are kept inside the actor in two units, `base` and `quote`; the operator credits what was deposited elsewhere.
"""

import json

from cowboy_sdk import OWNER, Address, Storage, actor, callable_by, public, runtime

MATCHES_PER_ORDER = 32
DEPTH = 64


@actor
class OrderBook:
    storage: Storage

    @public
    def init(self, payload):
        runtime.assume_ownership_if_unowned()
        self.storage["next_id"] = 1
        self.storage["bids"] = []
        self.storage["asks"] = []
        return b"ok"

    @callable_by(OWNER)
    def credit(self, payload):
        """payload: JSON {"account": address, "unit": "base" or "quote", "amount": units}"""
        message = json.loads(payload)
        account = Address.from_hex(message["account"]).to_bytes().hex()
        self._add(account, message["unit"], int(message["amount"]))
        return b"ok"

    @public
    def place(self, payload):
        """payload: JSON {"side": "buy" or "sell", "price": quote per base, "amount": base}; gives the order's id"""
        message = json.loads(payload)
        side, price, amount = message["side"], int(message["price"]), int(message["amount"])
        if side not in ("buy", "sell") or price <= 0 or amount <= 0:
            raise ValueError("an order has a side, a positive price and a positive amount")
        trader = runtime.get_sender().hex()
        if side == "buy":
            self._add(trader, "quote", -price * amount)
        else:
            self._add(trader, "base", -amount)
        number = self.storage["next_id"]
        self.storage["next_id"] = number + 1
        left = self._match(trader, side, price, amount)
        if left > 0:
            self._rest(side, [price, number, trader, left])
        return str(number).encode()

    @public
    def cancel(self, payload):
        """payload: JSON {"id": order}"""
        number = int(json.loads(payload)["id"])
        trader = runtime.get_sender().hex()
        for name, unit in (("bids", "quote"), ("asks", "base")):
            book = self.storage[name]
            for order in book:
                if order[1] == number and order[2] == trader:
                    book.remove(order)
                    self.storage[name] = book
                    self._add(trader, unit, order[3] * (order[0] if unit == "quote" else 1))
                    return b"ok"
        raise ValueError("no such order of yours")

    @public
    def book(self, payload):
        def level(order):
            return {"price": order[0], "amount": order[3]}

        return json.dumps(
            {"bids": [level(o) for o in self.storage["bids"]], "asks": [level(o) for o in self.storage["asks"]]}
        ).encode()

    @public
    def balances(self, payload):
        account = Address.from_hex(json.loads(payload)["account"]).to_bytes().hex()
        return json.dumps({unit: self.storage.get(unit + ":" + account, 0) for unit in ("base", "quote")}).encode()

    def _match(self, trader, side, price, amount):
        name = "asks" if side == "buy" else "bids"
        book = self.storage[name]
        for _ in range(MATCHES_PER_ORDER):
            if amount == 0 or not book:
                break
            best = book[0]
            if best[0] > price if side == "buy" else best[0] < price:
                break
            traded = min(amount, best[3])
            buyer, seller = (trader, best[2]) if side == "buy" else (best[2], trader)
            self._add(buyer, "base", traded)
            self._add(seller, "quote", traded * best[0])
            if side == "buy":
                self._add(buyer, "quote", traded * (price - best[0]))
            runtime.emit_event("book.trade", {"price": best[0], "amount": traded, "maker": best[1]})
            amount -= traded
            best[3] -= traded
            if best[3] == 0:
                book.pop(0)
        self.storage[name] = book
        return amount

    def _rest(self, side, order):
        name = "bids" if side == "buy" else "asks"
        book = self.storage[name]
        if len(book) >= DEPTH:
            raise ValueError("this side of the book is full")
        book.append(order)
        book.sort(key=lambda o: (-o[0], o[1]) if side == "buy" else (o[0], o[1]))
        self.storage[name] = book

    def _add(self, account, unit, amount):
        key = unit + ":" + account
        left = self.storage.get(key, 0) + amount
        if left < 0:
            raise ValueError("not enough " + unit)
        self.storage[key] = left
