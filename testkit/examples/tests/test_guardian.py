"""A guardian and its cards."""

import json

from cowboy_sdk import PermissionDeniedError
from cowboy_sdk.testing import CBY, SimulatedChain, TransactionFailed, raises
from guardian import Guardian

AGENT = "0x" + "22" * 20


def terms(coins, hour=CBY):
    return json.dumps({"agent": AGENT, "coins": coins, "hour": hour})


def test_a_card_is_filled_and_taken_back():
    chain = SimulatedChain(Guardian)
    card = bytes(chain.call("employ", terms(7 * CBY)))
    assert chain.balance == 93 * CBY
    assert chain.call("report", AGENT).json() == {"status": "Active", "balance": 7 * CBY, "hour": 0}
    assert chain.call("dismiss", AGENT) == True
    assert chain.balance == 100 * CBY
    assert chain.call("report", AGENT).json()["status"] == "Closed"


def test_only_the_owner_employs():
    chain = SimulatedChain(Guardian)
    for handler in ("employ", "dismiss", "snooze"):
        with raises(PermissionDeniedError):
            chain.call(handler, terms(1), sender="bob")


def test_there_is_no_card_without_coins():
    chain = SimulatedChain(Guardian)
    with raises(TransactionFailed, match="BankAmountInvalid"):
        chain.call("employ", terms(0))
    with raises(Exception):
        chain.call("employ", terms(101 * CBY))
    assert chain.balance == 100 * CBY


def test_its_own_card_pays_its_timer():
    chain = SimulatedChain(Guardian)
    chain.call("snooze", "2")
    assert chain.balance == 80 * CBY
    chain.advance_block(2)
    assert chain.state.get("woken") == 1
    assert chain.balance == 80 * CBY
    chain.call("wake")
    assert chain.state.get("woken") == 2
