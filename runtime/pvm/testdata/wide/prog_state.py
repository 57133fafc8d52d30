from enum import Enum, Flag, auto, IntEnum
from dataclasses import dataclass, replace, field
from typing import Union, Literal, NamedTuple
class S(Enum):
    IDLE = 'idle'; RUN = 'run'; DONE = 'done'; FAIL = 'fail'
    @property
    def final(self): return self in (S.DONE, S.FAIL)
@dataclass(frozen=True, slots=True)
class Start: job: str
@dataclass(frozen=True, slots=True)
class Progress: pct: int
@dataclass(frozen=True, slots=True)
class Error: msg: str; fatal: bool = False
Ev = Union[Start, Progress, Error, Literal['reset']]
@dataclass(frozen=True)
class M:
    state: S = S.IDLE; job: str | None = None; pct: int = 0; errors: tuple[str, ...] = ()
    def on(self, ev: Ev) -> 'M':
        match self, ev:
            case M(state=S.IDLE), Start(job): return replace(self, state=S.RUN, job=job)
            case M(state=S.RUN), Progress(100): return replace(self, state=S.DONE, pct=100)
            case M(state=S.RUN, pct=old), Progress(new) if new > old: return replace(self, pct=new)
            case M(state=S.RUN), Error(msg, fatal=True): return replace(self, state=S.FAIL, errors=self.errors + (msg,))
            case M(state=S.RUN, errors=(*es,)), Error(msg=m) if len(es) < 2: return replace(self, errors=(*es, m))
            case M(), 'reset': return M()
            case M(state=st), _ if st.final: raise ValueError(f'{st.value} is final')
        raise TypeError(f'{type(ev).__name__} in {self.state.name}')
m = M()
for ev in [Progress(1), Start('j'), Progress(30), Progress(20), Error('e1'), Error('e2'), Error('e3'), Progress(100), Progress(1), 'reset', Start('k'), Error('boom', True), Start('z'), 'reset']:
    try: m = m.on(ev); print(m)
    except (ValueError, TypeError) as e: print(type(e).__name__, e)
class Perm(Flag): R = auto(); W = auto(); X = auto(); RW = R | W
class Lvl(IntEnum):
    LOW = 1; MID = 5; HIGH = 9
    @classmethod
    def _missing_(cls, v): return next((l for l in cls if l >= v), None) if isinstance(v, int) else None
print(Lvl(3), Lvl(9), [l.name for l in Lvl if l > 2], Perm.RW & ~Perm.R, Perm.R | Perm.X, Perm(0), Perm.X in Perm.RW, [p.name for p in Perm.RW], sorted(Lvl, reverse=True), Lvl.HIGH - Lvl.LOW, f'{Lvl.MID:>4}{Perm.R!r}')
try: Lvl(10)
except ValueError as e: print(e)
class Pt(NamedTuple):
    x: int; y: int = 0
    def __add__(self, o): return Pt(self.x + o[0], self.y + o[1])
    @property
    def r2(self): return self.x ** 2 + self.y ** 2
D = {'U': (0, 1), 'D': (0, -1), 'L': (-1, 0), 'R': (1, 0)}
def walk(s):
    p = Pt(0); seen = {p: 0}
    for i, c in enumerate(s, 1):
        match c:
            case 'U' | 'D' | 'L' | 'R' as d: p += D[d]
            case '0': p = Pt(0)
            case _: raise ValueError(f'bad step {c!r} at {i}')
        seen.setdefault(p, i)
    return p, p.r2, p._asdict(), len(seen), max(seen, key=lambda q: (q.r2, q))
print(walk('UURRDL'), walk('RR0UU'))
try: walk('UZ')
except ValueError as e: print(e)
rooms = {'hall': {'n': 'attic', 'e': 'kitchen'}, 'attic': {'s': 'hall'}, 'kitchen': {'w': 'hall'}}; items = {'attic': ['lamp'], 'kitchen': ['knife', 'bread'], 'hall': []}
def play(cmds):
    at, bag = 'hall', []
    for c in cmds:
        match c.lower().split():
            case ['go', ('n' | 's' | 'e' | 'w') as d] if d in rooms[at]: at = rooms[at][d]; yield f'You are in the {at}.'
            case ['go', d]: yield f'No way {d}.'
            case ['take', 'all']: bag += items[at]; items[at] = []; yield f'Taken: {", ".join(bag) or "nothing"}.'
            case ['take', x] if x in items[at]: items[at].remove(x); bag.append(x); yield f'Taken {x}.'
            case ['drop', *xs] if xs and all(x in bag for x in xs):
                for x in xs: bag.remove(x); items[at].append(x)
                yield f'Dropped {" and ".join(xs)}.'
            case ['look'] | ['l']: yield f'{at}: {items[at]} exits {"/".join(sorted(rooms[at]))}'
            case ['inv' | 'i']: yield f'You carry {bag or "nothing"}'
            case ['quit']: return (yield 'Bye.')
            case []: continue
            case [verb, *rest]: yield f"Don't know how to {verb}{' ' + ' '.join(rest) if rest else ''}."
for l in play(['look', 'go n', 'take lamp', 'go up', 'go s', 'go e', 'take all', '', 'i', 'drop lamp bread', 'l', 'dance wildly now', 'drop', 'quit', 'look']): print(l)
