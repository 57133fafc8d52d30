"""The page as browsers see it."""

from cowboy_sdk.testing import SimulatedChain, raises
from page import Page


def test_signing_and_reading():
    chain = SimulatedChain(Page)
    assert b"<p>0 visitors" in chain.request("GET", "/", handler="page").body
    assert chain.request("POST", "/visitors", handler="sign").json() == {"visitor": 1}
    assert b"<p>1 visitors" in chain.request("GET", "/").body


def test_what_never_works():
    chain = SimulatedChain(Page)
    with raises(ValueError):
        chain.request("POST", "/broken", handler="broken")
    with raises(Exception):
        chain.request("GET", "/greedy", handler="greedy")
    assert b"<p>0 visitors" in chain.request("GET", "/").body
