"""The guestbook as browsers see it."""

from cowboy_sdk import PermissionDeniedError
from cowboy_sdk.testing import SimulatedChain, raises
from guestbook import Guestbook


def test_signing_and_reading():
    chain = SimulatedChain(Guestbook)
    signed = chain.request("POST", "/api/entries", {"name": "Ann", "text": "hello"}, request_id="one")
    assert (signed.status, signed.json()) == (201, {"number": 0})
    assert chain.state.get("_http/results/one")["status"] == 201
    assert chain.request("GET", "/api/entries/0").json()["text"] == "hello"
    assert chain.request("GET", "/api/entries", query={"from": ["0"]}).json()["count"] == 1
    assert chain.request("GET", "/api/entries/1").status == 404
    assert chain.request("POST", "/api/entries", "no json").status == 400


def test_a_gateway_may_name_the_handler():
    chain = SimulatedChain(Guestbook)
    assert chain.request("POST", "/api/entries", {"name": "Ann", "text": "x"}, handler="sign").status == 201
    assert chain.request("GET", "/api/entries", handler="entries").json()["count"] == 1
    assert chain.request("GET", "/api/entries/7", handler="http.request").status == 404
    for handler in ("sign", "entry", "entries"):
        with raises(PermissionDeniedError):
            chain.call(handler, {"method": "POST", "path": "/api/entries"})


def test_closing():
    chain = SimulatedChain(Guestbook)
    with raises(PermissionDeniedError):
        chain.call("close", sender="bob")
    assert chain.call("close") == b"1"
    assert chain.request("POST", "/api/entries", {"name": "Ann", "text": "x"}).status == 404
    assert chain.call("open") == b"1"
    assert chain.request("POST", "/api/entries", {"name": "Ann", "text": "x"}).status == 201
