import enum, struct
class Op(enum.IntEnum): PUSH = 1; ADD = enum.auto(); SUB = enum.auto(); MUL = enum.auto(); JMP = enum.auto(); JZ = enum.auto(); LOAD = enum.auto(); STORE = enum.auto(); PRINT = enum.auto(); CALL = enum.auto(); RET = enum.auto(); LT = enum.auto(); HALT = 255
HAS_ARG = {Op.PUSH, Op.JMP, Op.JZ, Op.LOAD, Op.STORE, Op.CALL}
def assemble(src):
    labels, code, fix = {}, bytearray(), []
    for n, line in enumerate(src.splitlines(), 1):
        line = line.split(';')[0].strip()
        if not line: continue
        if line.endswith(':'): labels[line[:-1]] = len(code); continue
        name, *arg = line.split()
        try: op = Op[name.upper()]
        except KeyError: raise SyntaxError(f'line {n}: unknown op {name}') from None
        if (op in HAS_ARG) != bool(arg): raise SyntaxError(f'line {n}: {op.name} takes {"one" if op in HAS_ARG else "no"} argument')
        code.append(op)
        if arg:
            if arg[0].lstrip('-').isdigit(): code += struct.pack('<i', int(arg[0]))
            else: fix.append((len(code), arg[0])); code += bytes(4)
    for at, l in fix: struct.pack_into('<i', code, at, labels[l])
    return bytes(code)
def dis(code):
    i = 0
    while i < len(code):
        op = Op(code[i]); a = struct.unpack_from('<i', code, i + 1)[0] if op in HAS_ARG else ''
        yield f'{i:04d} {op.name:<6}{a}'; i += 5 if op in HAS_ARG else 1
def run(code, limit=10000):
    st, rs, mem, ip, out, n = [], [], {}, 0, [], 0
    while True:
        n += 1
        if n > limit: raise TimeoutError('limit')
        op = Op(code[ip]); ip += 1
        if op in HAS_ARG: a, = struct.unpack_from('<i', code, ip); ip += 4
        match op:
            case Op.PUSH: st.append(a)
            case Op.ADD | Op.SUB | Op.MUL | Op.LT: y, x = st.pop(), st.pop(); st.append(int({Op.ADD: x + y, Op.SUB: x - y, Op.MUL: x * y, Op.LT: x < y}[op]))
            case Op.JMP: ip = a
            case Op.JZ: ip = ip if st.pop() else a
            case Op.LOAD: st.append(mem.get(a, 0))
            case Op.STORE: mem[a] = st.pop()
            case Op.PRINT: out.append(st.pop())
            case Op.CALL: rs.append(ip); ip = a
            case Op.RET: ip = rs.pop()
            case Op.HALT: return out, n, mem
src = '''
 push 1
 store 0
 push 1
 store 1
loop:
 load 1
 push 11
 lt
 jz done
 call mul
 load 1
 push 1
 add
 store 1
 jmp loop
mul: ; multiply
 load 0
 load 1
 mul
 store 0
 ret
done:
 load 0
 print
 halt'''
c = assemble(src); print(len(c), c.hex()[:40]); print('\n'.join(list(dis(c))[:6])); print(run(c))
for s in ('bogus', 'push', 'add 1', 'jmp nowhere', 'add\nhalt', 'l:\njmp l', 'ret'):
    try: print(run(assemble(s)))
    except Exception as e: print(s.split()[0], type(e).__name__, e)
