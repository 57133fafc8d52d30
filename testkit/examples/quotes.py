"""Quotes from several places at once: a fan-out of jobs and of another actor's answer, and the middle of what came back.

Sources that fail are left out; `ask` needs answers from more than half of them.
"""

import json

from cowboy_sdk import CowboyError, Storage, TaskGroup, actor, public, runner, runtime

SOURCES_MAX = 8


@actor
class Quotes:
    storage: Storage

    @public
    def init(self, payload):
        """payload: JSON list of URLs, at most eight"""
        sources = json.loads(payload)
        if not 1 <= len(sources) <= SOURCES_MAX:
            raise ValueError("1 to 8 sources")
        self.storage["sources"] = sources
        return b"ok"

    @public
    @runner.continuation(timeout_blocks=30)
    async def ask(self, payload):
        """payload: the symbol"""
        symbol = payload.decode()
        sources = [url + "/" + symbol for url in self.storage["sources"]]
        async with TaskGroup() as group:
            tasks = [group.create_task(runner.http(url)) for url in sources]
        prices = []
        for task in tasks:
            try:
                prices.append(int(task.result()["price"]))
            except (CowboyError, KeyError, ValueError) as e:
                runtime.emit_event("quotes.left_out", {"symbol": symbol, "why": type(e).__name__})
        if len(prices) * 2 <= len(tasks):
            runtime.emit_event("quotes.none", {"symbol": symbol, "answers": len(prices)})
            return
        middle = sorted(prices)[len(prices) // 2]
        self.storage["quote:" + symbol] = middle
        runtime.emit_event("quotes.middle", {"symbol": symbol, "price": middle, "answers": len(prices)})

    @public
    def get(self, payload):
        return str(self.storage.get("quote:" + payload.decode(), "none")).encode()
