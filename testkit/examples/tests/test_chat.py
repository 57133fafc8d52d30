"""The chat with a scripted model, and with one that is silent."""

from chat import Chat
from cowboy_sdk import PermissionDeniedError
from cowboy_sdk.testing import LOST, SimulatedChain, raises


def test_an_answer_is_kept():
    chain = SimulatedChain(Chat, jobs=lambda job: "you said: " + job.args[0])
    chain.call("say", {"text": "hello"})
    chain.advance_block(2)
    assert chain.call("history").json() == [{"a": "you said: user: hello", "q": "hello"}]


def test_a_silent_model_is_given_up():
    chain = SimulatedChain(Chat, jobs=lambda job: LOST)
    chain.call("say", {"text": "hello"})
    with raises(PermissionDeniedError):
        chain.call("give_up", {"number": 0})
    chain.advance_block(130)
    assert chain.call("history").json() == [{"a": "(no answer)", "q": "hello"}]
