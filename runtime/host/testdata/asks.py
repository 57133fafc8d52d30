import pvm_host

SENDER = pvm_host.get_sender()
CALLS = []


def who(payload):
    CALLS.append(payload)
    return SENDER + bytes([len(CALLS)])
