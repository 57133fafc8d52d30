"""A token of the registry as an object."""

import pvm_host as _host


class Token:
    """A token by its identifier. Quantities are whole numbers of its smallest units; whoever runs is the one who acts."""

    def __init__(self, token_id):
        self.token_id = token_id

    @classmethod
    def create(cls, name, symbol, decimals=0, initial_supply=0, max_supply=None, transfer_hook=None, metadata_uri=None):
        """Makes a token of the actor, which owns it and gets the initial supply."""
        return cls(_host.token_create(name, symbol, decimals, initial_supply, max_supply, transfer_hook, metadata_uri))

    def transfer(self, to, amount):
        return _host.token_transfer(self.token_id, to, amount)

    def transfer_from(self, owner, to, amount):
        """Moves tokens of another, who has approved it."""
        return _host.token_transfer_from(self.token_id, owner, to, amount)

    def transfer_batch(self, transfers):
        """Makes transfers, a list of (to, amount), all or none."""
        return _host.token_transfer_batch([(self.token_id, to, amount) for to, amount in transfers])

    def approve(self, spender, amount):
        return _host.token_approve(self.token_id, spender, amount)

    def increase_allowance(self, spender, amount):
        return _host.token_increase_allowance(self.token_id, spender, amount)

    def decrease_allowance(self, spender, amount):
        return _host.token_decrease_allowance(self.token_id, spender, amount)

    def mint(self, to, amount):
        return _host.token_mint(self.token_id, to, amount)

    def burn(self, amount):
        return _host.token_burn(self.token_id, amount)

    def freeze(self, account):
        return _host.token_freeze_account(self.token_id, account)

    def unfreeze(self, account):
        return _host.token_unfreeze_account(self.token_id, account)

    def set_hook(self, transfer_hook):
        return _host.token_set_hook(self.token_id, transfer_hook)

    def transfer_ownership(self, new_owner):
        return _host.token_transfer_ownership(self.token_id, new_owner)

    def balance_of(self, account):
        return _host.token_balance_of(self.token_id, account)

    def allowance(self, owner, spender):
        return _host.token_allowance(self.token_id, owner, spender)

    def total_supply(self):
        return _host.token_total_supply(self.token_id)

    def info(self):
        """What the registry keeps of the token, as a dict; None for a token that does not exist."""
        return _host.token_info(self.token_id)
