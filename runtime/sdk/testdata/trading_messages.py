# The explicit message-passing model: a request leaves with its context, the answer is a message of its own.
from cowboy_sdk import RUNNER, actor, current_block, send


@actor
class TradingBot:
    def set_price(self, payload):
        self.storage.set("price", int(payload))

    def handle_trade(self, msg):
        price = self.storage.get("price")
        if price < 150:
            send(RUNNER, {
                "job_type": "llm",
                "prompt": f"Analyze buying opportunity at ${price}",
                "reply_to": self.address,
                "reply_handler": "handle_analysis_result",
                "context": {
                    "original_price": price,
                    "request_block": current_block(),
                },
            })

    def handle_analysis_result(self, msg):
        result = msg.result
        context = msg.context
        current_price = self.storage.get("price")
        if current_price != context["original_price"]:
            self.storage.set("last_abort_reason", "price_changed")
            return
        if "bullish" in result.lower():
            self.execute_buy(current_price)

    def execute_buy(self, price):
        self.storage.set("bought", price)

    def out(self, payload):
        return repr((self.storage.get("bought"), self.storage.get("last_abort_reason"))).encode()
