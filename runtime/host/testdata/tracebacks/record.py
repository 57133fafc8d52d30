"""Records what CPython 3.11 prints for the handlers of desk.py: python3 record.py > recorded.txt

Both actors are modules of one program. The function that stands for call() raises what a callee raised as an ActorCallError with the callee's frames; its
own frames, which an actor never sees, are taken out.
"""
import linecache
import os
import re
import sys
import traceback
import types

if sys.version_info[:2] != (3, 11):
    sys.exit("this needs CPython 3.11")
here = os.path.dirname(os.path.abspath(__file__))


class ActorCallError(Exception):
    pass


ActorCallError.__module__ = "builtins"  # printed without a module, as the classes of actors are
actors = {}


def call(target, handler, args):
    try:
        return getattr(actors[target], handler)(*args)
    except Exception as e:
        known = ActorCallError("%s: %s" % (type(e).__name__, str(e).strip("'")))
        known.__cause__, known.__suppress_context__ = e.__cause__, True
        raise known.with_traceback(e.__traceback__)


def module(name, **members):
    made = types.ModuleType(name)
    made.__dict__.update(members)
    sys.modules[name] = made


def load(name):
    with open(os.path.join(here, name + ".py")) as f:
        text = f.read()
    file = name + ".py"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    members = {"__name__": "__main__"}
    exec(compile(text, file, "exec"), members)
    return members


def shown(error):
    lines = traceback.format_exception(error)
    kept = []
    for part in "".join(lines).split("\n"):
        kept.append(part)
    text = "\n".join(kept)
    return re.sub(r'  File "[^"]*record\.py".*\n(    .*\n)*', "", text)


module("cowboy_sdk", actor=lambda c: c, call=call)
module("cowboy_sdk.errors", ActorCallError=ActorCallError)
actors["till"] = load("till")["Till"]()
desk = load("desk")["Desk"]
for handler in desk.__dict__:
    if handler.startswith("_") or handler == "descend":
        continue
    try:
        getattr(desk(), handler)("till" if handler in ("through", "twice", "caught", "nested") else b"")
    except Exception as e:
        print("== " + handler)
        print(shown(e), end="")
