# Groups with a split method of their own.
class E(ExceptionGroup):
    def split(self, kind):
        print("split", kind)
        return (ExceptionGroup("m", [self.exceptions[0]]), ExceptionGroup("r", list(self.exceptions[1:])))
try:
    try: raise E("a", [ValueError(1), KeyError(2)])
    except* ValueError as e: print(repr(e))
except BaseException as e: print(repr(e))
