# The same bot as a continuation, which becomes a request handler and a result handler.
from cowboy_sdk import actor, runner


@actor
class TradingBot:
    def set_price(self, payload):
        self.storage.set("price", int(payload))

    @runner.continuation
    async def handle_trade(self, msg):
        price = self.storage.get("price")

        if price < 150:
            result = await runner.llm(
                prompt=f"Analyze buying opportunity at ${price}",
                context={"original_price": price},
            )

            if self.storage.get("price") != result.context["original_price"]:
                return

            if "bullish" in result.output.lower():
                self.execute_buy(price)

    def execute_buy(self, price):
        self.storage.set("bought", price)

    def out(self, payload):
        return repr((self.storage.get("bought"), self.storage.get("last_abort_reason"))).encode()
