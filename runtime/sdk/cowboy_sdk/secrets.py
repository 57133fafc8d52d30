"""Secrets live with an account, encrypted to a committee; jobs name them, actors never see them."""

import pvm_host as _host


def store(key, value, access_policy=None):
    """Stores a secret. Raises NotAvailableError on a chain without the secrets manager."""
    return _host.secrets_store(key, value, access_policy)
