def bf(src, inp=''):
    jumps, st = {}, []
    for i, c in enumerate(src):
        if c == '[': st.append(i)
        elif c == ']':
            if not st: raise SyntaxError(f'unmatched ] at {i}')
            j = st.pop(); jumps[i], jumps[j] = j, i
    if st: raise SyntaxError(f'unmatched [ at {st[-1]}')
    tape, p, ip, out, it = bytearray(100), 0, 0, [], iter(inp)
    while ip < len(src):
        c = src[ip]
        if c == '>': p += 1
        elif c == '<': p -= 1
        elif c == '+': tape[p] = (tape[p] + 1) & 255
        elif c == '-': tape[p] = (tape[p] - 1) % 256
        elif c == '.': out.append(chr(tape[p]))
        elif c == ',': tape[p] = ord(next(it, '\0'))
        elif c == '[' and not tape[p] or c == ']' and tape[p]: ip = jumps[ip]
        ip += 1
    return ''.join(out)
print(bf('++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++.'), end='')
print(bf(',[.,]', 'echo')); print(repr(bf('-.')))
for b in (']', '[[]', '>' * 101 + '+'):
    try: bf(b)
    except Exception as e: print(type(e).__name__, e)
