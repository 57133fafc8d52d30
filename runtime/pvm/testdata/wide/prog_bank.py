from dataclasses import dataclass, field
from decimal import Decimal, ROUND_HALF_UP
from enum import Enum, auto
from typing import Optional
import re
class Kind(Enum): DEPOSIT = auto(); WITHDRAW = auto(); TRANSFER = auto(); INTEREST = auto()
class BankError(Exception):
    def __init__(self, msg, **ctx): super().__init__(msg); self.ctx = ctx
class Insufficient(BankError): pass
class NoAccount(BankError, KeyError):
    def __str__(self): return f'no account {self.args[0]!r}'
@dataclass(frozen=True)
class Entry: seq: int; kind: Kind; amount: Decimal; memo: str = ''
@dataclass
class Account:
    number: str; owner: str; balance: Decimal = Decimal('0.00'); limit: Decimal = Decimal(0); log: list[Entry] = field(default_factory=list, repr=False)
    def __post_init__(self):
        if not re.fullmatch(r'[A-Z]{2}\d{4}', self.number): raise BankError('bad number', number=self.number)
    def post(self, seq, kind, amount, memo=''):
        if self.balance + amount < -self.limit: raise Insufficient('insufficient funds', need=-(self.balance + amount + self.limit))
        self.balance += amount; self.log.append(Entry(seq, kind, amount, memo))
class Bank:
    def __init__(self): self.accounts, self._seq = {}, 0
    def open(self, *a, **k): acc = Account(*a, **k); self.accounts[acc.number] = acc; return acc
    def __getitem__(self, n):
        try: return self.accounts[n]
        except KeyError: raise NoAccount(n) from None
    @property
    def seq(self): self._seq += 1; return self._seq
    def transfer(self, a, b, amount):
        a, b, amount = self[a], self[b], Decimal(amount)
        if amount <= 0: raise ValueError(f'amount must be positive, not {amount}')
        snap = [(x, x.balance, len(x.log)) for x in (a, b)]
        try:
            n = self.seq; a.post(n, Kind.TRANSFER, -amount, f'to {b.owner}'); b.post(n, Kind.TRANSFER, amount, f'from {a.owner}')
        except BankError:
            for x, bal, k in snap: x.balance = bal; del x.log[k:]
            raise
    def interest(self, pct):
        for a in self.accounts.values():
            if i := (a.balance * Decimal(pct) / 100).quantize(Decimal('0.01'), ROUND_HALF_UP): a.post(self.seq, Kind.INTEREST, i)
b = Bank(); b.open('DE0001', 'ann'); b.open('DE0002', 'bob', Decimal('10.50'), limit=Decimal(20)); b['DE0001'].post(b.seq, Kind.DEPOSIT, Decimal('100.10'))
for act in (lambda: b.transfer('DE0001', 'DE0002', '30.05'), lambda: b.transfer('DE0001', 'DE0002', '1000'), lambda: b.transfer('DE0002', 'XX', 1), lambda: b.transfer('DE0001', 'DE0002', -1), lambda: b.open('x', 'y'), lambda: b.transfer('DE0002', 'DE0001', '60.55'), lambda: b.interest('1.25'), lambda: setattr(b['DE0001'].log[0], 'amount', 0)):
    try: act()
    except (BankError, ValueError) as e: print(type(e).__name__, e, getattr(e, 'ctx', None), e.__cause__, e.__suppress_context__)
    except Exception as e: print('other', type(e).__name__, e)
for a in b.accounts.values():
    print(a)
    for e in a.log: print(f'  {e.seq:>3} {e.kind.name:<9}{e.amount:>10,.2f} {e.memo}')
print(f'{sum(a.balance for a in b.accounts.values()):,.3f}', {k: str(v.balance) for k, v in b.accounts.items()})
