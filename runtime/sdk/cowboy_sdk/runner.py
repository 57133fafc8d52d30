"""Work done off chain: language models, HTTP, tools.

Each operation gives something to await inside a method under @runner.continuation.
"""

import json

import pvm_host as _host
from cowboy_sdk import _continuation
from cowboy_sdk._continuation import Awaitable
from cowboy_sdk._mapping import Mapping
from cowboy_sdk.errors import RunnerValidationError, SecretsNotApplicableHere

_SECRETS_MAX = 8


def continuation(handler=None, *, timeout_blocks=0, guard_unchanged=None, guard_keys=None):
    """Makes an async method one that can await jobs across blocks.

    timeout_blocks bounds the wait for every result (0: no bound); guard_unchanged, or guard_keys, names storage keys that must still hold
    at each resumption what they held at the await, or StateConflictError is raised before the body goes on.
    """
    return _continuation.decorate(handler, timeout_blocks, guard_unchanged, guard_keys, False)


class Text(str):
    """A model's answer as text; also .output (the same), .context (what the call gave) and .proof."""

    def __new__(cls, output, context=None, proof=None):
        text = str.__new__(cls, output)
        text.output = output
        text.context = context
        text.proof = proof
        return text


class Job(Awaitable):
    """A job for the runners that has not been submitted yet."""

    def __init__(self, job_type, args, kwargs, *, response_model=None, verification=None, verify=None, timeout_blocks=None,
                 retry_policy=None, tee_required=False, secrets=None, context=None):
        self.job_type = job_type
        self.args = args
        self.kwargs = {name: value for name, value in kwargs.items() if value is not None}
        self.response_model = response_model
        self.verification = _verification(verification if verification is not None else verify)
        self.timeout_blocks = timeout_blocks
        self.retry_policy = retry_policy
        self.tee_required = bool(tee_required)
        self.secrets = _secrets(secrets)
        self.context = context

    def submit(self, cid, handler, timeout_block):
        from cowboy_sdk import codec

        kwargs = dict(self.kwargs)
        if self.response_model is not None:
            kwargs["response_model"] = self.response_model.schema()
        if self.secrets:
            kwargs["secrets"] = self.secrets
        job = {
            "kind": "runner_job", "job_type": self.job_type, "payload": {"args": self.args, "kwargs": kwargs}, "cid": cid,
            "reply_to": _host.get_actor_address(), "reply_handler": handler, "timeout_block": timeout_block,
            "verification": self.verification, "tee_required": self.tee_required,
        }
        if self.retry_policy is not None:
            job["retry_policy"] = self.retry_policy.to_dict()
        _host.submit_job(codec.encode(job))

    def about(self):
        from cowboy_sdk._freeze import _registered, freeze

        about = {"job": self.job_type}
        if self.response_model is not None:
            about["model"] = _registered(self.response_model, "response_model")
        if self.context is not None:
            about["context"] = freeze(self.context, "context", ())
        return about


def read_result(about, result, proof, echoed):
    """A job's result as the await gives it."""
    if "model" in about:
        from cowboy_sdk.models import CowboyModel

        if isinstance(result, (str, bytes)):
            result = json.loads(result)
        return CowboyModel._known[about["model"]].from_dict(result)
    if isinstance(result, str):
        from cowboy_sdk._freeze import thaw

        context = thaw(about["context"], ()) if "context" in about else echoed
        return Text(result, context, proof)
    if isinstance(result, dict):
        return Mapping(result)
    return result


def llm(prompt, *, system_prompt=None, max_tokens=None, temperature=None, model=None, tools=None, **options):
    """Asks a language model. The result is a str with .output, .context and .proof, or an instance of response_model.

    options: response_model, verification (or verify), timeout_blocks, retry_policy, tee_required, secrets (with tools only), context.
    """
    if options.get("secrets") and not tools:
        raise SecretsNotApplicableHere("an llm job without tools has no use for secrets")
    arguments = {
        "system_prompt": system_prompt, "max_tokens": max_tokens, "temperature": temperature, "model": model, "tools": tools,
    }
    return Job("llm", [prompt], arguments, **options)


def http(url, method="GET", *, headers=None, body=None, **options):
    """Fetches a URL. The result is what the runner gives, a map as a Mapping (result.status, result.body)."""
    return Job("http", [url], {"method": method, "headers": headers, "body": body}, **options)


_OPTIONS = ("response_model", "verification", "verify", "timeout_blocks", "retry_policy", "tee_required", "secrets", "context")


def mcp(server, tool, args=None, **keywords):
    """Calls a tool of an MCP server; its arguments are the dict args, or keywords."""
    options = {name: keywords.pop(name) for name in _OPTIONS if name in keywords}
    if args is not None and keywords:
        raise TypeError("give the tool's arguments as args or as keywords, not both")
    return Job("mcp", [server, tool, keywords if args is None else args], {}, **options)


def handle_runner_result(actor, msg):
    """Passes a result on to the handler that its reply_handler names, for actors that receive results at one entry."""
    if isinstance(msg, (bytes, bytearray)):
        msg = _host.cbor_decode(bytes(msg))
    name = msg.get("reply_handler")
    if not isinstance(name, str) or not name.endswith("__resume"):
        raise RunnerValidationError("the result names no continuation")
    resume = getattr(actor, name, None)
    if resume is None:
        raise RunnerValidationError("the actor has no " + name)
    return resume(msg)


def _verification(given):
    """A builder, a built map or the name of a mode, as it goes into the job; floats as parts per million."""
    if given is None:
        return None
    if isinstance(given, str):
        from cowboy_sdk.verification import VerifyBuilder

        given = VerifyBuilder().mode(given)
    build = getattr(given, "build", None)
    return _fixed(build() if build is not None else given)


def _fixed(value):
    if isinstance(value, dict):
        fixed = {}
        for key, item in value.items():
            if isinstance(item, float):
                fixed[key + "_ppm"] = round(item * 1_000_000)
            else:
                fixed[key] = _fixed(item)
        return fixed
    if isinstance(value, (list, tuple)):
        return [_fixed(item) for item in value]
    return value


def _secrets(given):
    """Entries are names, (name, {"version": n}) or (name, {"account": address}); at most eight."""
    entries = []
    for entry in given or ():
        if isinstance(entry, str):
            entry = (entry, {})
        name, options = entry
        if not isinstance(name, str) or not name or set(options) - {"version", "account"}:
            raise ValueError("a secret is a name, (name, {'version': n}) or (name, {'account': address})")
        kept = {"name": name}
        if "version" in options:
            kept["version"] = options["version"]
        if "account" in options:
            from cowboy_sdk.types import Address

            kept["account"] = Address(options["account"]).to_bytes()
        entries.append(kept)
    if len(entries) > _SECRETS_MAX:
        raise ValueError("at most 8 secrets per operation")
    return entries
