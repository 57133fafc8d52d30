import re
class TemplateError(ValueError): pass
class Template:
    TOK = re.compile(r'(\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\})', re.S)
    filters = {'upper': str.upper, 'len': len, 'join': lambda l, s=',': s.join(map(str, l)), 'default': lambda v, d: v if v else d, 'round': lambda v, n='0': round(v, int(n)), 'rev': lambda v: v[::-1]}
    def __init__(self, src): self.toks = [t for t in self.TOK.split(src) if t]; self.pos = 0; self.body = self.block(()); 
    def block(self, ends):
        out = []
        while self.pos < len(self.toks):
            t = self.toks[self.pos]; self.pos += 1
            if t.startswith('{{'): out.append(('var', t[2:-2].strip()))
            elif t.startswith('{#'): continue
            elif t.startswith('{%'):
                words = t[2:-2].split()
                if words[0] in ends: self.end = words; return out
                match words:
                    case ['for', name, 'in', *e]: body = self.block(('endfor', 'else')); els = self.block(('endfor',)) if self.end[0] == 'else' else []; out.append(('for', name, ' '.join(e), body, els))
                    case ['if', *c]:
                        arms = []
                        while True:
                            arms.append((' '.join(c), self.block(('elif', 'else', 'endif'))))
                            if self.end[0] == 'elif': c = self.end[1:]; continue
                            if self.end[0] == 'else': arms.append(('1', self.block(('endif',))))
                            break
                        out.append(('if', arms))
                    case ['set', name, '=', *e]: out.append(('set', name, ' '.join(e)))
                    case _: raise TemplateError(f'unknown tag {words[0]!r}')
            else: out.append(('text', t))
        if ends: raise TemplateError(f'missing {ends[0]}')
        return out
    def eval(self, e, ctx):
        e, *fs = [x.strip() for x in e.split('|')]
        if e.startswith('not '): v = not self.eval(e[4:], ctx)
        elif m := re.fullmatch(r'(\S+) (==|>|<|in) (\S+)', e): a, b = self.eval(m[1], ctx), self.eval(m[3], ctx); v = {'==': lambda: a == b, '>': lambda: a > b, '<': lambda: a < b, 'in': lambda: a in b}[m[2]]()
        elif re.fullmatch(r'-?\d+(\.\d+)?', e): v = float(e) if '.' in e else int(e)
        elif e[:1] in '"\'': v = e[1:-1]
        else:
            head, *rest = e.split('.'); v = ctx.get(head, '')
            for r in rest: v = v[r] if isinstance(v, dict) else v[int(r)] if r.isdigit() else getattr(v, r, '')
            if callable(v): v = v()
        for f in fs:
            name, _, arg = f.partition(':')
            if name not in self.filters: raise TemplateError(f'unknown filter {name!r}')
            v = self.filters[name](v, *([arg] if arg else []))
        return v
    def render(self, ctx, body=None):
        out = []
        for n in self.body if body is None else body:
            match n:
                case ('text', t): out.append(t)
                case ('var', e): out.append(str(self.eval(e, ctx)))
                case ('set', name, e): ctx[name] = self.eval(e, ctx)
                case ('if', arms): out.append(next((self.render(ctx, b) for c, b in arms if self.eval(c, ctx)), ''))
                case ('for', name, e, b, els):
                    items = list(self.eval(e, ctx))
                    if not items: out.append(self.render(ctx, els))
                    for i, x in enumerate(items): out.append(self.render({**ctx, name: x, 'loop': {'index': i + 1, 'last': i == len(items) - 1}}, b))
        return ''.join(out)
class U:
    name = 'ann'; tags = ('x', 'y')
    def hello(self): return 'hi ' + self.name
ctx = {'u': U(), 'l': [3, 1, 2], 'd': {'k': {'z': 5}}, 'f': 3.14159, 'e': []}
for s in ['Hello {{ u.name|upper }}! {{ u.hello }} {{ d.k.z }} {{ l.0 }} {{ f|round:2 }}', '{% for x in l %}{{ loop.index }}={{ x }}{% if not loop.last %}, {% endif %}{% endfor %}', '{% if d.k.z > 4 %}big{% elif d.k.z == 4 %}four{% else %}small{% endif %}', '{% for x in e %}{{x}}{% else %}empty{% endfor %}', '{# no #}{% set q = "w" %}{{ q }}{{ l|join:- }}{{ l|len }}{{ missing|default:dd }}{{ u.tags|rev }}', '{% if 3 in l %}yes{% endif %}', '{% bad %}', '{% if x %}', '{{ x|nope }}', '{% for a in l %}{% for b in l %}{{ a }}{{ b }} {% endfor %}{% endfor %}']:
    try: print(Template(s).render(dict(ctx)))
    except Exception as e: print(type(e).__name__, e)
