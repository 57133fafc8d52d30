# Correlation and timeouts by hand: a timer gives up on an answer that does not come.
from cowboy_sdk import RUNNER, actor, cancel_timer, current_block, generate_id, send, set_timer


@actor
class TradingBot:
    def handle_trade(self, msg):
        correlation_id = generate_id()
        self.storage.set(f"pending:{correlation_id}", {
            "type": "trade_analysis",
            "submitted_block": current_block(),
            "context": {"note": "x"},
        })
        send(RUNNER, {
            "correlation_id": correlation_id,
            "job_type": "llm",
            "prompt": "quick" if msg == b"quick" else "never",
            "reply_to": self.address,
            "reply_handler": "handle_analysis_result",
        })
        timer_id = set_timer(
            height=current_block() + 10,
            handler="handle_timeout",
            data={"correlation_id": correlation_id},
        )
        self.storage.set(f"timer:{correlation_id}", timer_id)

    def handle_analysis_result(self, msg):
        correlation_id = msg.correlation_id
        timer_id = self.storage.get(f"timer:{correlation_id}")
        if timer_id:
            cancel_timer(timer_id)
            self.storage.delete(f"timer:{correlation_id}")
        pending = self.storage.get(f"pending:{correlation_id}")
        if pending is None:
            return
        self.storage.delete(f"pending:{correlation_id}")
        self._note("answered " + msg.result)

    def handle_timeout(self, msg):
        correlation_id = msg.correlation_id
        pending = self.storage.get(f"pending:{correlation_id}")
        if pending is None:
            return
        self.storage.delete(f"pending:{correlation_id}")
        self.storage.delete(f"timer:{correlation_id}")
        self.handle_job_failure(correlation_id, "timeout")

    def handle_job_failure(self, correlation_id, reason):
        self._note("failed " + reason)

    def _note(self, text):
        self.storage.set("notes", (self.storage.get("notes") or []) + [text])

    def out(self, payload):
        return repr(self.storage.get("notes")).encode()
