import _conform as _c
globals().update(_c.builtins())
__name__ = "builtins"
