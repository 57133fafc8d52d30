"""Secrets live with an account, encrypted to a committee; jobs name them, actors never see them."""

import pvm_host as _host


def store(key, value, access_policy=None):
    """Keeps a secret of the actor's and gives its version. value is an envelope that was sealed outside of the chain; plaintext is refused."""
    return _host.secrets_store(key, value, access_policy)
