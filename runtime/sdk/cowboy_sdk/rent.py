"""Rent of an actor's storage."""

import pvm_host as _host


def prepay(epochs):
    """Pays rent for a number of epochs ahead. Raises NotAvailableError on a chain without rent."""
    return _host.rent_prepay(epochs)


def status():
    """Until when rent is paid. Raises NotAvailableError on a chain without rent."""
    return _host.rent_status()


def sponsor(actor_address, epochs):
    """Pays another actor's rent. Raises NotAvailableError on a chain without rent."""
    return _host.rent_sponsor(actor_address, epochs)
