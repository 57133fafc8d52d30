from typing import Any

REGISTRY: bytes
MAX_DOMAINS: int
RETRY_BLOCKS: int
WAIT_BLOCKS: int
CHECK_CYCLES: int

class DomainKeeper:
    def keep_domain(self, payload: Any) -> int:
        """Has the domain fqdn, which leads to the actor, checked in time, for at most price base units a check; gives when the next check is asked for."""
    def forget_domain(self, payload: Any) -> None: ...
    def kept_domains(self, payload: Any) -> list[dict[str, Any]]: ...
    def check_domain(self, payload: Any) -> None: ...
