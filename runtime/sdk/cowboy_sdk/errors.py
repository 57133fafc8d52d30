"""Every exception class of the SDK. Slugs name categories and are shared by several classes."""

import pvm_host as _host


class CowboyError(_host.HostError):
    """The class of every error of the SDK: .code and HOST_ERROR_CODE (1 to 8), .slug and ERROR_SLUG, .why, .fix."""

    HOST_ERROR_CODE = 6
    ERROR_SLUG = "E1210"
    why = ""
    fix = ""

    @property
    def code(self):
        return self.HOST_ERROR_CODE

    @property
    def slug(self):
        return self.ERROR_SLUG

    @property
    def name(self):
        return type(self).__name__


_classes = {}


def _define(name, slug, code, why, fix):
    _classes[name] = type(name, (CowboyError,), {
        "HOST_ERROR_CODE": code, "ERROR_SLUG": slug, "why": why, "fix": fix,
        "__module__": "cowboy_sdk.errors",
    })
    return _classes[name]


DeterminismError = _define("DeterminismError", "E1101", 5, "the operation could differ between nodes", "use the deterministic replacement")
CycleLimitExceeded = _define("CycleLimitExceeded", "E1201", 1, "the call's cycle budget is used up", "raise cycles_limit or do less")
LoopBoundExceeded = _define("LoopBoundExceeded", "E1201", 8, "a bounded loop ran past its bound", "raise max_iterations")
RunnerTimeoutError = _define("RunnerTimeoutError", "E1201", 6, "the result came after the timeout block", "retry or raise timeout_blocks")
CaptureTypeError = _define("CaptureTypeError", "E1202", 2, "a captured value cannot be saved", "capture plain values only")
ContinuationLimitError = _define("ContinuationLimitError", "E1202", 8, "the continuation has too many suspension points", "split it")
AddressError = _define("AddressError", "E1202", 2, "the value is not an address", "pass 20 bytes or 40 hexadecimal digits")
ContinuationNotFoundError = _define("ContinuationNotFoundError", "E1203", 3, "no continuation waits for this result", "ignore duplicates")
CallDepthExceeded = _define("CallDepthExceeded", "E1205", 5, "calls are nested more than 32 deep", "flatten the calls")
ReentrancyError = _define("ReentrancyError", "E1205", 5, "the method is running already", "wait until it returns")
PurityViolationError = _define("PurityViolationError", "E1205", 5, "a pure handler tried an asynchronous effect", "mark it @deferred")
StateConflictError = _define("StateConflictError", "E1206", 6, "a guarded value changed", "read it again")
ContinuationCorruptedError = _define("ContinuationCorruptedError", "E1206", 6, "a saved continuation fails its checksum", "start it again")
ActorCallError = _define("ActorCallError", "E1206", 6, "the called actor raised", "look at the message")
ContinuationSizeLimitError = _define("ContinuationSizeLimitError", "E1208", 8, "a saved continuation is larger than 64 KiB", "capture less")
ContinuationCountLimitError = _define("ContinuationCountLimitError", "E1208", 8, "100 continuations wait already", "wait for some")
MissingEntitlementError = _define("MissingEntitlementError", "E1207", 7, "the actor's manifest does not grant this", "deploy with the entitlement")
EntitlementQuotaError = _define("EntitlementQuotaError", "E1208", 8, "the manifest's limit is reached", "deploy with a higher limit")
CodecError = _define("CodecError", "E1213", 2, "the value has no canonical encoding", "use None, bool, int, bytes, str, list, dict")
ActorNotFoundError = _define("ActorNotFoundError", "E1220", 3, "no actor has this address", "check the address")
PermissionDeniedError = _define("PermissionDeniedError", "E1230", 5, "the sender may not call this handler", "tag the handler @public or @callable_by")
SecretsNotApplicableHere = _define("SecretsNotApplicableHere", "E1202", 2, "the operation has no use for secrets", "leave secrets out, or give tools")
RunnerValidationError = _define("RunnerValidationError", "E1604", 2, "a runner's result failed its checks", "relax the verification or retry")


class DeterministicValidationError(CowboyError, _host.DeterministicValidationError):
    """A value differs between runners; also a ValueError."""

    HOST_ERROR_CODE = 2
    ERROR_SLUG = "E1610"
    why = "a value differs between runners"
    fix = "make the result deterministic"


_host.register_errors(_classes)
