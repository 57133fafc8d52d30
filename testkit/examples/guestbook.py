"""A guestbook on the web: routes for reading and signing it, and a volume with its pages.

Reading is a query that costs nobody anything. Signing comes through the gateway as a message; its answer is kept for an hour where the gateway looks
for it. The owner closes and opens the book by turning its route off and on.
"""

import json

from cowboy_sdk import OWNER, Storage, actor, callable_by, http, mount, public, routes, runtime

PAGE = 10
LONGEST = 280


@actor
class Guestbook:
    storage: Storage

    @public
    def init(self, payload):
        runtime.assume_ownership_if_unowned()
        self.storage["count"] = 0

    @routes.get("/api/entries/{number}")
    def entry(self, request):
        entry = self.storage["e:" + request.path_params["number"]]
        return http.Response(404, "no such entry") if entry is None else entry

    @routes.get("/api/entries")
    def entries(self, request):
        """?from=N: ten entries, the newest first"""
        count = self.storage["count"]
        first = int(request.query.get("from", [str(count - 1)])[0])
        shown = [self.storage["e:%d" % i] for i in range(first, max(-1, first - PAGE), -1)]
        return {"count": count, "entries": [entry for entry in shown if entry]}

    @routes.post("/api/entries")
    def sign(self, request):
        try:
            message = json.loads(request.body)
            name, text = message["name"].strip(), message["text"].strip()
        except (ValueError, KeyError, AttributeError):
            return http.Response(400, "name and text, please")
        if not name or not 1 <= len(text) <= LONGEST:
            return http.Response(422, "1 to 280 characters")
        number = self.storage["count"]
        self.storage["count"] = number + 1
        self.storage["e:%d" % number] = {"name": name, "text": text, "at": runtime.get_block_height()}
        runtime.emit_event("guestbook.signed", {"number": number})
        return http.Response(201, {"number": number}, {"location": "/api/entries/%d" % number})

    @callable_by(OWNER)
    def close(self, payload):
        return str(routes.disable("/api/entries", "POST")).encode()

    @callable_by(OWNER)
    def open(self, payload):
        return str(routes.enable("/api/entries", "POST")).encode()


mount("/", "guestbook-pages", fallback="index.html")
