from cowboy_sdk.testing import SimulatedChain


def test_assertion():
    print("about to fail")
    assert 1 + 1 == 3, "sums"


def test_error():
    SimulatedChain("def f(payload):\n    raise ValueError('inside')\n").call("f")


def test_good():
    SimulatedChain("def f(payload):\n    return b'x'\n").call("f")


def test_endless():
    while True:
        pass


def helper():
    raise SystemExit


class TestSet:
    def tearDown(self):
        print("down")

    def test_broken(self):
        {}["missing"]

    def test_impersonating_an_actor(self):
        chain = SimulatedChain("def f(payload):\n    return b'x'\n")
        chain.set_sender(chain.address)
        chain.call("f")
