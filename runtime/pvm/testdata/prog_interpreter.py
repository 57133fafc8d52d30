# Interpreters: a calculator with a Pratt parser, a Lisp, a stack machine, Brainfuck.
import re
class Parser:
    prec = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2, "^": 3}
    def __init__(self, s): self.toks = re.findall(r"\d+\.?\d*|[A-Za-z_]\w*|[-+*/%^()=,]", s) + [None]; self.i = 0
    def next(self): self.i += 1; return self.toks[self.i - 1]
    def peek(self): return self.toks[self.i]
    def expr(self, min_prec=1):
        lhs = self.atom()
        while (op := self.peek()) in self.prec and self.prec[op] >= min_prec:
            self.next()
            lhs = (op, lhs, self.expr(self.prec[op] + (op != "^")))
        return lhs
    def atom(self):
        t = self.next()
        if t == "-": return ("neg", self.expr(3))
        if t == "(":
            e = self.expr()
            if self.next() != ")": raise SyntaxError("expected )")
            return e
        if t is None: raise SyntaxError("unexpected end")
        if t[0].isdigit(): return float(t) if "." in t else int(t)
        if self.peek() == "(":
            self.next(); args = []
            while self.peek() != ")":
                args.append(self.expr())
                if self.peek() == ",": self.next()
            self.next()
            return ("call", t, args)
        return ("var", t)
def ev(e, env):
    match e:
        case int() | float(): return e
        case ("var", n): return env[n]
        case ("neg", x): return -ev(x, env)
        case ("call", f, args): return {"max": max, "min": min, "abs": abs}[f](*[ev(a, env) for a in args])
        case (op, a, b):
            a, b = ev(a, env), ev(b, env)
            return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: a / b, "%": lambda: a % b, "^": lambda: a ** b}[op]()
for s in ("1 + 2 * 3", "(1 + 2) * 3", "2 ^ 3 ^ 2", "-2 ^ 2", "10 / 4 - 1", "x * y + max(1, z, 3)", "abs(-7) % 4", "1 - - 1", "1 +", "(1", "q + 1", "1 / 0"):
    try:
        print(s, "=", ev(Parser(s).expr(), {"x": 2, "y": 3.5, "z": 9}))
    except (SyntaxError, KeyError, ZeroDivisionError) as e:
        print(s, type(e).__name__, e)
def tokens(s): return s.replace("(", " ( ").replace(")", " ) ").split()
def read(ts):
    t = ts.pop(0)
    if t == "(":
        out = []
        while ts[0] != ")": out.append(read(ts))
        ts.pop(0)
        return out
    try: return int(t)
    except ValueError: return t
class Env(dict):
    def __init__(self, names=(), vals=(), outer=None): super().__init__(zip(names, vals)); self.outer = outer
    def find(self, n):
        if n in self: return self
        if self.outer is None: raise NameError(n)
        return self.outer.find(n)
G = Env()
G.update({"+": lambda *a: sum(a), "*": lambda a, b: a * b, "-": lambda a, b: a - b, "<": lambda a, b: a < b, "=": lambda a, b: a == b, "list": lambda *a: list(a), "car": lambda l: l[0], "cdr": lambda l: l[1:], "cons": lambda a, b: [a] + b, "null?": lambda l: l == []})
def lisp(x, env=G):
    while True:
        if isinstance(x, str): return env.find(x)[x]
        if not isinstance(x, list): return x
        match x:
            case ["quote", e]: return e
            case ["if", c, a, b]: x = a if lisp(c, env) else b
            case ["define", n, e]: env[n] = lisp(e, env); return None
            case ["lambda", ps, body]: return (ps, body, env)
            case ["begin", *es, last]:
                for e in es: lisp(e, env)
                x = last
            case [f, *args]:
                f, args = lisp(f, env), [lisp(a, env) for a in args]
                if isinstance(f, tuple): x, env = f[1], Env(f[0], args, f[2])
                else: return f(*args)
for src in ("(define fact (lambda (n) (if (< n 2) 1 (* n (fact (- n 1))))))", "(fact 20)", "(define map (lambda (f l) (if (null? l) (quote ()) (cons (f (car l)) (map f (cdr l))))))", "(map (lambda (x) (* x x)) (list 1 2 3))", "(begin (define c (lambda (n) (lambda (m) (+ n m)))) ((c 5) 6))", "(define loop (lambda (n acc) (if (= n 0) acc (loop (- n 1) (+ acc n)))))", "(loop 300 0)", "(undefined 1)"):
    try:
        r = lisp(read(tokens(src)))
        if r is not None: print(src, "=>", r)
    except NameError as e:
        print(src, "NameError", e)
G.clear()
def bf(code, inp=""):
    stack, jump = [], {}
    for i, c in enumerate(code):
        if c == "[": stack.append(i)
        elif c == "]": j = stack.pop(); jump[i], jump[j] = j, i
    tape, p, pc, out, inp = [0] * 30, 0, 0, [], list(inp)
    while pc < len(code):
        c = code[pc]
        if c == ">": p += 1
        elif c == "<": p -= 1
        elif c == "+": tape[p] = (tape[p] + 1) % 256
        elif c == "-": tape[p] = (tape[p] - 1) % 256
        elif c == ".": out.append(chr(tape[p]))
        elif c == ",": tape[p] = ord(inp.pop(0)) if inp else 0
        elif c == "[" and not tape[p] or c == "]" and tape[p]: pc = jump[pc]
        pc += 1
    return "".join(out)
print(bf("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++."), end="")
print(bf(",[.,]", "echo"))
class VM:
    def __init__(self): self.stack, self.vars, self.out = [], {}, []
    def run(self, prog):
        labels = {a[0]: i for i, (op, *a) in enumerate(prog) if op == "label"}
        pc = 0
        while pc < len(prog):
            op, *a = prog[pc]
            pc += 1
            r = getattr(self, "op_" + op)(*a)
            if r is not None: pc = labels[r]
        return self.out
    def op_push(self, v): self.stack.append(v)
    def op_load(self, n): self.stack.append(self.vars[n])
    def op_store(self, n): self.vars[n] = self.stack.pop()
    def op_add(self): b, a = self.stack.pop(), self.stack.pop(); self.stack.append(a + b)
    def op_sub(self): b, a = self.stack.pop(), self.stack.pop(); self.stack.append(a - b)
    def op_print(self): self.out.append(self.stack.pop())
    def op_jump(self, l): return l
    def op_jz(self, l): return l if not self.stack.pop() else None
    def op_label(self, l): pass
print(VM().run([("push", 5), ("store", "n"), ("push", 0), ("store", "s"), ("label", "loop"), ("load", "n"), ("jz", "end"), ("load", "s"), ("load", "n"), ("add",), ("store", "s"), ("load", "n"), ("push", 1), ("sub",), ("store", "n"), ("jump", "loop"), ("label", "end"), ("load", "s"), ("print",)]))
