"""Address, BlockHeight and the names of the deterministic built-in types."""

import pvm_host as _host
from cowboy_sdk.errors import AddressError


class Address(bytes):
    """20 bytes; equal to, and hashed like, the bytes it holds."""

    def __new__(cls, raw):
        if isinstance(raw, str):
            return cls.from_hex(raw)
        if not isinstance(raw, (bytes, bytearray)) or len(raw) != 20:
            raise AddressError("an address has 20 bytes")
        return bytes.__new__(cls, raw)

    @classmethod
    def from_hex(cls, text):
        if not isinstance(text, str):
            raise AddressError("not an address: " + repr(text))
        digits = text[2:] if text[:2] in ("0x", "0X") else text
        if len(digits) != 40:
            raise AddressError("an address has 40 hexadecimal digits, with or without 0x")
        try:
            return cls(bytes.fromhex(digits))
        except ValueError:
            raise AddressError("not an address: " + repr(text)) from None

    def to_bytes(self):
        return bytes(self)

    def to_hex(self):
        """Mixed-case text after EIP-55."""
        digits = self.hex()
        mask = _host.keccak256(digits).hex()
        return "0x" + "".join([d.upper() if m in "89abcdef" else d for d, m in zip(digits, mask)])

    def __repr__(self):
        return "Address('" + self.to_hex() + "')"

    def __str__(self):
        return self.to_hex()


def _system(number):
    return Address(number.to_bytes(20, "big"))


Address.ZERO = _system(0)
Address.RUNNER_REGISTRY = _system(1)
Address.JOB_DISPATCHER = _system(2)
Address.RESULT_VERIFIER = _system(3)
Address.SECRETS_MANAGER = _system(4)
Address.TEE_VERIFIER = _system(5)
Address.TOKEN_REGISTRY = _system(6)

RUNNER = Address.JOB_DISPATCHER


class BlockHeight(int):
    def __repr__(self):
        return "block#" + str(int(self))


SoftFloat = float
ordered_set = set


def derive_actor_address(deployer, salt, code_hash):
    """The address of the actor that deployer makes with salt (at most 32 bytes) and code of the given hash."""
    if len(salt) > 32:
        raise ValueError("a salt has at most 32 bytes")
    return Address(_host.keccak256(bytes(deployer) + bytes(salt).rjust(32, b"\0") + bytes(code_hash))[12:])
