"""Run programs from standard input, each in a fresh module; answer with what it printed."""
import builtins
import gc
import io
import linecache
import math
import signal
import struct
import sys
import traceback
import types

FILE = "main.py"


class Sink:
    """Takes what generators print when a finished program's objects go."""

    def write(self, text):
        pass

    def flush(self):
        pass


class Timeout(BaseException):
    pass


plain_hash = hash


def by_address(x):
    if isinstance(x, (tuple, frozenset)):
        return any(map(by_address, x))
    return type(x).__hash__ is object.__hash__ or x != x


def other_hash(x):
    return 0 if by_address(x) else plain_hash(x)


plain_copysign = math.copysign


def other_copysign(x, y):
    return plain_copysign(x, -y if y != y else y)


def alarm(signum, frame):
    raise Timeout


def run(source, full):
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    gc.disable()
    out = io.StringIO()
    sys.stdout = out
    linecache.cache[FILE] = (len(source), None, source.splitlines(True), FILE)
    tail = ""
    try:
        code = compile(source, FILE, "exec", dont_inherit=True)
    except SyntaxError as e:
        sys.stdout = Sink()
        return f"{e.lineno}:{e.offset}: {type(e).__name__}: {e.msg}\n"
    try:
        signal.alarm(5)
        exec(code, module.__dict__)
    except Timeout:
        tail = "timeout\n"
    except BaseException as e:
        try:
            if full:
                while e.__traceback__ is not None and e.__traceback__.tb_frame.f_code.co_filename == "<string>":
                    e.__traceback__ = e.__traceback__.tb_next
                tail = "".join(traceback.format_exception(e))
            else:
                tail = "".join(traceback.format_exception_only(e))
        except BaseException as f:
            tail = "traceback failed: %r\n" % f
    finally:
        signal.alarm(0)
        sys.stdout = Sink()
    return out.getvalue() + tail


def main():
    signal.signal(signal.SIGALRM, alarm)
    source, answer = sys.stdin.buffer, sys.__stdout__.buffer
    gc.freeze()
    while head := source.read(5):
        size, full = struct.unpack(">IB", head)
        builtins.hash = other_hash if full & 2 else plain_hash
        math.copysign = other_copysign if full & 2 else plain_copysign
        text = run(source.read(size).decode(), full & 1).encode("utf-8", "surrogatepass")
        answer.write(struct.pack(">I", len(text)) + text)
        answer.flush()
        sys.modules["__main__"] = None
        gc.collect()


main()
