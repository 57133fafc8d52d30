from typing import ClassVar, SupportsBytes

class Address(bytes):
    """20 bytes; equal to, and hashed like, the bytes it holds."""

    ZERO: ClassVar[Address]
    RUNNER_REGISTRY: ClassVar[Address]
    JOB_DISPATCHER: ClassVar[Address]
    RESULT_VERIFIER: ClassVar[Address]
    SECRETS_MANAGER: ClassVar[Address]
    TEE_VERIFIER: ClassVar[Address]
    TOKEN_REGISTRY: ClassVar[Address]
    def __new__(cls, raw: bytes | bytearray | str) -> Address: ...
    @classmethod
    def from_hex(cls, text: str) -> Address: ...
    def to_bytes(self) -> bytes: ...
    def to_hex(self) -> str: ...

class BlockHeight(int): ...

RUNNER: Address
SoftFloat = float
ordered_set = set

def derive_actor_address(deployer: SupportsBytes, salt: bytes, code_hash: bytes) -> Address:
    """The address of the actor that deployer makes with salt (at most 32 bytes) and code of the given hash."""
