"""Rent of an actor's storage."""

import pvm_host as _host


def prepay(epochs):
    """Pays the actor's rent for a number of epochs ahead. It is not refunded; an actor small enough to pay no rent pays nothing."""
    return _host.rent_prepay(epochs)


def status():
    """Until when rent is paid: a dict with paid_through_epoch, balance_epochs (None for an actor that pays no rent), state, epoch, epoch_rent, owed
    and reserve, amounts in base units."""
    return _host.rent_status()


def sponsor(actor_address, epochs):
    """Pays another actor's debt, and its rent for a number of epochs ahead."""
    return _host.rent_sponsor(actor_address, epochs)


def set_quota(quota_bytes):
    """Changes how many bytes the actor may store, up to 8 MiB. Beyond 1 MiB each byte locks a bond, which comes back when the quota is lowered."""
    return _host.rent_set_quota(quota_bytes)
