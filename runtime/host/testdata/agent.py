from cowboy_sdk import actor, runtime, set_timer, set_interval, cancel_timer


@actor
class Agent:
    def start(self, payload):
        set_timer(runtime.get_block_height() + 1, "tick", {"n": 1})

    def tick(self, data):
        n = data["n"]
        self.storage["ticks"] = n
        runtime.emit_event("tick", {"n": n})
        if n < 3:
            runtime.schedule_timer_ex(runtime.get_block_height() + 1, b'{"_handler":"json","_payload":{"n":%d}}' % n, gas_limit=200000)

    def json(self, payload):
        self.storage["json"] = payload

    def plain(self, payload):
        runtime.schedule_timer(runtime.get_block_height() + 1, b"raw bytes")

    def handle_timer(self, payload):
        self.storage["default"] = payload

    def every(self, payload):
        self.storage["id"] = set_interval(2, "beat", b"!")

    def beat(self, payload):
        self.storage["beats"] = (self.storage["beats"] or 0) + 1
        if self.storage["beats"] == 3:
            assert cancel_timer(self.storage["id"])
