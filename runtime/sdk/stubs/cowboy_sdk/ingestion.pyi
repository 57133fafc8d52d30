from typing import Any

from .stream_actor import StreamActor

MAX_TASK: int
MAX_SCHEMA: int
SCHEMA_DEPTH: int
MAX_TIMEOUT: int
MAX_INTERVAL: int
MAX_DETAIL: int
TICK_CYCLES: int

class IngestingStream(StreamActor):
    def configure_ingestion(self, payload: Any) -> dict[str, Any]:
        """Changes what is given and begins anew: enabled, interval_blocks, task_definition, result_schema, transform_method, num_runners, verification,
        timeout_blocks. Gives the configuration."""
    def get_ingestion(self, payload: Any) -> dict[str, Any] | None: ...
    def ingest(self, payload: Any) -> None: ...
    def ingested(self, payload: Any) -> int | None: ...
