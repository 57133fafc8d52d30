"""Which chain and which machine this is."""

import pvm_host as _host


def __getattr__(name):
    if name == "chain_id":
        return _host.get_chain_id()
    if name == "pvm_version":
        return _host.get_pvm_version()
    raise AttributeError("module 'cowboy_sdk.pvm_sys' has no attribute '" + name + "'")
