"""A page on the web: served from committed state to whoever asks for it, with a count of visitors who signed in through the gateway.

Reading costs nobody anything. Signing is a POST, which the gateway brings in a transaction; its answer lies in the receipt of the request.
"""

from cowboy_sdk import Storage, actor, http, public, routes

PAGE = """<!doctype html>
<title>A page on the chain</title>
<h1>A page on the chain</h1>
<p>%d visitors have signed.</p>
"""


@actor
class Page:
    storage: Storage

    @public
    def init(self, payload):
        self.storage["visitors"] = 0

    @routes.get("/")
    def page(self, request):
        return http.Response(200, PAGE % self.storage["visitors"], {"content-type": "text/html; charset=utf-8"})

    @routes.post("/visitors")
    def sign(self, request):
        self.storage["visitors"] = self.storage["visitors"] + 1
        return http.Response(201, {"visitor": self.storage["visitors"]})

    @routes.post("/broken")
    def broken(self, request):
        raise ValueError("this never works")

    @routes.get("/greedy")
    def greedy(self, request):
        self.storage["visitors"] = 0
