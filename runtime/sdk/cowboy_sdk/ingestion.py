"""IngestingStream: a stream whose messages runners bring. Every few blocks it has one job done, and publishes what comes of it.

    @actor
    class Weather(IngestingStream):
        @public
        def init(self, payload):
            runtime.assume_ownership_if_unowned()
            self.open_stream("weather", publisher_key=bytes.fromhex(payload.decode()))

        def to_message(self, result):
            return {"kind": "temperature", "payload_inline": result["body"].encode()}

The owner calls configure_ingestion. One job is under way at a time. Whatever keeps a result from becoming a message is told by the event IngestFailed,
and the next job is tried all the same.
"""

import json

import pvm_host as _host
from cowboy_sdk import _records, codec
from cowboy_sdk import stream_actor as _base
from cowboy_sdk import streams as _s
from cowboy_sdk._actor import OWNER, SELF, callable_by, deferred, public

MAX_TASK = 8_192  # bytes of a task's CBOR
MAX_SCHEMA = 4_096
SCHEMA_DEPTH = 8
MAX_TIMEOUT = 86_400  # blocks a job may take
MAX_INTERVAL = 2_592_000  # blocks between two jobs: the longest a timer waits
MAX_DETAIL = 200  # characters of why something failed
TICK_CYCLES = 250_000  # of the timer that submits: the most that a fire may use while timers bid

_INGEST, _JOB = b"_stream/ingest", b"_stream/job"
_TYPES = {"object": dict, "array": (list, tuple), "string": str, "integer": int, "boolean": bool, "null": type(None)}
_KEYWORDS = ("type", "properties", "required", "items", "enum", "minimum", "maximum", "description", "title")


class IngestingStream(_base.StreamActor):
    """A StreamActor that asks runners. Its records are under _stream/ too."""

    @deferred
    @callable_by(OWNER, SELF)
    def configure_ingestion(self, payload):
        """Changes what is given, and begins anew: enabled (True), interval_blocks (1), task_definition {"job_type", "args", "kwargs"}, result_schema (none),
        transform_method (none: the result as JSON), num_runners (1), verification (a mode; "none"), timeout_blocks (20). What is under way is forgotten.
        Gives the configuration."""
        given = _base._map(payload)
        stream, before = _base._load(_base._CONFIG), _base._load(_INGEST)
        if stream is None or stream["paid"] is not None:
            raise _s.StreamMessageError("an open stream can be fed by jobs: a managed one carries what its publisher encrypted")
        config = {"enabled": True, "interval_blocks": 1, "task_definition": None, "result_schema": None, "transform_method": None, "num_runners": 1,
                  "verification": "none", "timeout_blocks": 20, "timer": b""}
        if before is not None:
            config.update(before)
            _cancel(config)
        for name in given:
            if name not in config or name == "timer":
                raise _s.StreamMessageError("ingestion has no " + str(name)[:MAX_DETAIL])
            config[name] = given[name]
        _check(self, config)
        _base._store(_INGEST, config)
        _host.delete_state(_JOB)
        if config["enabled"]:
            _again(config)
        return _shown(config)

    @public
    def get_ingestion(self, payload):
        """The configuration, and the job that is under way; None where there is none"""
        config = _base._load(_INGEST)
        if config is None:
            return None
        shown = _shown(config)
        shown["job"] = _base._load(_JOB)
        return shown

    @deferred
    @callable_by(SELF)
    def ingest(self, payload):
        """Submits the next job, unless one is under way. A timer of the actor's calls it."""
        config, now = _base._load(_INGEST), _host.get_block_height()
        if config is None or not config["enabled"]:
            return
        _again(config)
        job = _base._load(_JOB)
        if job is not None:
            if now <= job["until"]:
                return
            _failed(job["cid"], "LOST", "no answer by block %d" % job["until"])  # the turn that took it failed
        job = {"cid": _records.new_cid(None, "ingest"), "since": now, "until": now + config["timeout_blocks"] + 2}
        try:
            _submit(config, job["cid"], now + config["timeout_blocks"])
        except Exception as e:
            _host.delete_state(_JOB)
            _failed(job["cid"], "SUBMIT", _why(e))
            return
        _base._store(_JOB, job)

    @deferred
    @callable_by(SELF)
    def ingested(self, payload):
        """Takes what became of a job, from the chain."""
        if isinstance(payload, (bytes, bytearray)):
            payload = _host.cbor_decode(bytes(payload))
        job, cid = _base._load(_JOB), payload["cid"]
        if job is None or job["cid"] != cid:
            return None  # of a configuration that was replaced
        _host.delete_state(_JOB)
        result, config = payload.get("result"), _base._load(_INGEST)
        if payload.get("status", "ok") != "ok":
            return _failed(cid, *_told(result if result is not None else payload.get("error")))
        if config["result_schema"] is not None:
            try:
                result = _read(result)
                wrong = _unfit(config["result_schema"], result, "result")
            except ValueError as e:
                wrong = _why(e)
            if wrong:
                return _failed(cid, "SCHEMA", wrong)
        try:
            message = _plain(result) if config["transform_method"] is None else getattr(self, config["transform_method"])(result)
        except Exception as e:
            return _failed(cid, "TRANSFORM", _why(e))
        if message is None:
            return None
        try:
            return self.publish_own(_formed(message))
        except Exception as e:
            return _failed(cid, "PUBLISH", _why(e))


# ---- jobs


def _submit(config, cid, until):
    from cowboy_sdk import runner
    from cowboy_sdk.verification import VerifyBuilder

    task, count = config["task_definition"], config["num_runners"]
    checks = VerifyBuilder().mode(config["verification"]).runners(count).threshold(count // 2 + 1).build()
    runner.Job(task["job_type"], list(task.get("args", ())), dict(task.get("kwargs", {})), verification=checks).submit(cid, "ingested", until)


def _again(config):
    """Sets the timer of the next job."""
    config["timer"] = _host.schedule_timer_ex(
        _host.get_block_height() + config["interval_blocks"], b'{"_handler":"ingest","_payload":null}', gas_limit=TICK_CYCLES)
    _base._store(_INGEST, config)


def _cancel(config):
    timer, config["timer"] = config["timer"], b""
    if timer:
        try:
            _host.cancel_timer(timer)
        except _host.HostError:
            pass  # it has fired


def _failed(cid, reason, detail):
    _host.emit_event("IngestFailed", {"cid": cid, "reason": reason, "detail": detail})


def _told(error):
    """Why a job failed."""
    name, text = "", error
    if isinstance(error, dict):
        name = error.get("error", "")
        text = error.get("message", name)
    return "TIMEOUT" if name in ("timeout", "RunnerTimeoutError") else "RUNNER", text[:MAX_DETAIL] if isinstance(text, str) else "the job failed"


def _why(error):
    return (type(error).__name__ + ": " + str(error))[:MAX_DETAIL]


# ---- results


def _read(result):
    """A result that is JSON, read."""
    return json.loads(result) if isinstance(result, (str, bytes, bytearray)) else result


def _plain(result):
    if isinstance(result, (bytes, bytearray, str)):
        return result
    return json.dumps(result, sort_keys=True, separators=(",", ":"))


def _formed(message):
    """What a transform gave, as publish takes it."""
    if not isinstance(message, dict):
        message = {"payload_inline": message}
    formed = {"kind": "ingested", "timestamp_unix_ms": _host.get_timestamp_ms()}
    formed.update(message)
    body = formed.get("payload_inline")
    if isinstance(body, str):
        formed["payload_inline"] = body.encode()
    return formed


# ---- checking


def _check(stream, config):
    if not isinstance(config["enabled"], bool):
        raise _s.StreamMessageError("enabled is true or false")
    for name, most in (("interval_blocks", MAX_INTERVAL), ("num_runners", 21), ("timeout_blocks", MAX_TIMEOUT)):
        _base._number(config[name], 1, most)
    task = config["task_definition"]
    good = isinstance(task, dict) and isinstance(task.get("job_type"), str) and task["job_type"] and not set(task) - {"job_type", "args", "kwargs"}
    if not good or not isinstance(task.get("args", []), (list, tuple)) or not isinstance(task.get("kwargs", {}), dict):
        raise _s.StreamMessageError("a task is a map of job_type, args and kwargs")
    if len(codec.encode(task)) > MAX_TASK:
        raise _s.StreamLimitError("a task has at most %d bytes" % MAX_TASK)
    from cowboy_sdk.verification import VerifyBuilder

    try:
        VerifyBuilder().mode(config["verification"])
    except ValueError as e:
        raise _s.StreamMessageError(str(e)[:MAX_DETAIL])
    if config["result_schema"] is not None:
        if len(codec.encode(config["result_schema"])) > MAX_SCHEMA:
            raise _s.StreamLimitError("a schema has at most %d bytes" % MAX_SCHEMA)
        _check_schema(config["result_schema"], 1)
    name = config["transform_method"]
    if name is not None and not (isinstance(name, str) and callable(getattr(stream, name, None))):
        raise _s.StreamMessageError("the actor has no method " + str(name)[:MAX_DETAIL])


def _check_schema(schema, depth):
    good = depth <= SCHEMA_DEPTH and isinstance(schema, dict) and not set(schema) - set(_KEYWORDS)
    good = good and isinstance(schema.get("type", "null"), str) and schema.get("type", "null") in _TYPES
    good = good and isinstance(schema.get("properties", {}), dict)
    for name, kind in (("required", (list, tuple)), ("enum", (list, tuple)), ("minimum", int), ("maximum", int)):
        good = good and isinstance(schema.get(name, 0 if kind is int else []), kind)
    if not good:
        raise _s.StreamMessageError("a schema is at most %d deep, of %s" % (SCHEMA_DEPTH, ", ".join(_KEYWORDS)))
    parts = list(schema.get("properties", {}).values())
    if "items" in schema:
        parts.append(schema["items"])
    for part in parts:
        _check_schema(part, depth + 1)


def _unfit(schema, value, where):
    """What of a value is not as its schema has it, "" if all is."""
    kind = schema.get("type")
    if kind is not None and (not isinstance(value, _TYPES[kind]) or kind == "integer" and isinstance(value, bool)):
        return "%s is no %s" % (where, kind)
    if "enum" in schema and value not in schema["enum"]:
        return where + " is none of those listed"
    if isinstance(value, int) and not isinstance(value, bool):
        if "minimum" in schema and value < schema["minimum"] or "maximum" in schema and value > schema["maximum"]:
            return where + " is out of its range"
    if isinstance(value, dict):
        for name in schema.get("required", ()):
            if name not in value:
                return "%s misses %s" % (where, name)
        for name, part in sorted(schema.get("properties", {}).items()):
            wrong = _unfit(part, value[name], where + "." + name) if name in value else ""
            if wrong:
                return wrong
    if isinstance(value, (list, tuple)) and "items" in schema:
        for i, item in enumerate(value):
            wrong = _unfit(schema["items"], item, "%s[%d]" % (where, i))
            if wrong:
                return wrong
    return ""


def _shown(config):
    return {name: value for name, value in config.items() if name != "timer"}
