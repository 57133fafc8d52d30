from typing import Any

def store(key: str, value: bytes | str, access_policy: Any = None) -> Any:
    """Stores a secret."""
