"""The club's door."""

import json

from cowboy_sdk import PermissionDeniedError
from cowboy_sdk.testing import SimulatedChain, raises
from club import Club

MEMBER = "0x" + "22" * 20


def terms(visits, blocks):
    return json.dumps({"member": MEMBER, "visits": visits, "blocks": blocks}).encode()


def test_the_founder_alone_lets_in():
    chain = SimulatedChain(Club)
    with raises(PermissionDeniedError):
        chain.call("admit", terms(1, 1), sender=MEMBER)
    assert chain.call("welcome", MEMBER.encode()) == b"no"
    chain.call("admit", terms(2, 100))
    assert chain.call("welcome", MEMBER.encode()) == b"yes"
    with raises(PermissionDeniedError):
        chain.call("dismiss", MEMBER.encode(), sender=MEMBER)
    chain.call("dismiss", MEMBER.encode())
    assert chain.call("welcome", MEMBER.encode()) == b"no"


def test_visits_end():
    chain = SimulatedChain(Club)
    chain.call("admit", terms(2, 100))
    assert chain.call("visit", b"", sender=MEMBER) == b"1"
    assert chain.call("visit", b"", sender=MEMBER) == b"2"
    with raises(Exception):
        chain.call("visit", b"", sender=MEMBER)
