"""cowboy_sdk: what an on-chain actor imports."""

import pvm_host as runtime
from cowboy_sdk._actor import OWNER, SELF, actor, callable_by, deferred, public, pure
from cowboy_sdk.call import call, send
from pvm_host import cancel_timer, current_block, set_interval, set_timer

_ERRORS = (
    "CowboyError", "DeterminismError", "CycleLimitExceeded", "LoopBoundExceeded", "RunnerTimeoutError", "CaptureTypeError",
    "ContinuationLimitError", "AddressError", "ContinuationNotFoundError", "CallDepthExceeded", "ReentrancyError",
    "PurityViolationError", "StateConflictError", "ContinuationCorruptedError", "ActorCallError",
    "ContinuationSizeLimitError", "ContinuationCountLimitError", "CodecError", "ActorNotFoundError",
    "PermissionDeniedError", "RunnerValidationError", "SecretsNotApplicableHere", "DeterministicValidationError",
    "MissingEntitlementError", "EntitlementQuotaError",
)


def __getattr__(name):
    """Names that not every actor needs load their module when they are first used."""
    if name in ("Address", "BlockHeight", "SoftFloat", "ordered_set", "derive_actor_address", "RUNNER"):
        from cowboy_sdk import types as module
    elif name in ("capture", "Capture", "bounded_loop", "BoundedRange", "check_iteration", "save_cont", "load_cont", "delete_cont", "new_cid"):
        from cowboy_sdk import continuation as module
    elif name == "TaskGroup":
        from cowboy_sdk import taskgroup as module
    elif name in ("ActorRef", "generate_id", "call_builder"):
        from cowboy_sdk import _more as module
    elif name in ("reentrancy_guard", "storage_guard", "GuardedValue", "GuardSet"):
        from cowboy_sdk import guards as module
    elif name == "CowboyModel":
        from cowboy_sdk import models as module
    elif name in ("Retry", "Verify", "VerifyBuilder"):
        from cowboy_sdk import verification as module
    elif name in ("storage", "Storage"):
        from cowboy_sdk import _storage as module
    elif name in _ERRORS:
        from cowboy_sdk import errors as module
    elif name in ("Pays", "mount"):
        from cowboy_sdk import routes as module
    elif name == "runner":
        import cowboy_sdk.runner
        return cowboy_sdk.runner
    elif name == "codec":
        import cowboy_sdk.codec
        return cowboy_sdk.codec
    elif name == "vrf":
        import cowboy_sdk.vrf
        return cowboy_sdk.vrf
    elif name == "http":
        import cowboy_sdk.http
        return cowboy_sdk.http
    elif name == "routes":
        import cowboy_sdk.routes
        return cowboy_sdk.routes
    elif name == "errors":
        import cowboy_sdk.errors
        return cowboy_sdk.errors
    elif name == "types":
        import cowboy_sdk.types
        return cowboy_sdk.types
    elif name == "collections":
        import cowboy_sdk.collections
        return cowboy_sdk.collections
    elif name == "secrets":
        import cowboy_sdk.secrets
        return cowboy_sdk.secrets
    elif name == "blobs":
        import cowboy_sdk.blobs
        return cowboy_sdk.blobs
    elif name == "rent":
        import cowboy_sdk.rent
        return cowboy_sdk.rent
    elif name == "pvm_random":
        import cowboy_sdk.pvm_random
        return cowboy_sdk.pvm_random
    elif name == "pvm_time":
        import cowboy_sdk.pvm_time
        return cowboy_sdk.pvm_time
    elif name == "pvm_sys":
        import cowboy_sdk.pvm_sys
        return cowboy_sdk.pvm_sys
    else:
        raise AttributeError("module 'cowboy_sdk' has no attribute '" + name + "'")
    return getattr(module, name)
