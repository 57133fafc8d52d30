"""Mapping: a dict whose missing attributes are its keys. Decoded payloads arrive as one."""


class Mapping(dict):
    """A dict that also answers msg.result for msg["result"]."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError("'" + name + "' is neither an attribute nor a key of the payload") from None
