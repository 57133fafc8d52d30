"""Verify builds how a job's results are checked; Retry says how often a job is tried."""

_MODES = {
    "none": "none",
    "economic_bond": "economic_bond", "optimistic": "economic_bond",
    "majority_vote": "majority_vote", "consensus": "majority_vote",
    "structured_match": "structured_match",
    "deterministic": "deterministic",
    "semantic_similarity": "semantic_similarity",
    "tee": "tee", "zk": "zk",
}


class VerifyBuilder:
    """Builds a verification: mode, runners (1 to 21), threshold, checks in the order added, timeout_blocks."""

    def __init__(self):
        self._mode = "none"
        self._runners = 1
        self._threshold = 1
        self._checks = []
        self._timeout_blocks = 0

    def mode(self, name):
        """none, majority_vote (consensus), structured_match, deterministic, semantic_similarity, economic_bond (optimistic), tee or zk."""
        if name not in _MODES:
            raise ValueError("unknown verification mode '" + str(name) + "'")
        self._mode = _MODES[name]
        return self

    def runners(self, count):
        """How many runners do the job, 1 to 21."""
        if not 1 <= count <= 21:
            raise ValueError("1 to 21 runners")
        self._runners = count
        return self

    def threshold(self, count):
        """How many of them must agree."""
        if count < 1:
            raise ValueError("a threshold is at least 1")
        self._threshold = count
        return self

    def check(self, check):
        """Adds a check."""
        self._checks.append(check)
        return self

    def timeout_blocks(self, blocks):
        """How long they have."""
        self._timeout_blocks = blocks
        return self

    def build(self):
        """The verification as a map."""
        if self._threshold > self._runners:
            raise ValueError("the threshold is larger than the number of runners")
        return {
            "mode": self._mode, "runners": self._runners, "threshold": self._threshold,
            "checks": list(self._checks), "timeout_blocks": self._timeout_blocks,
        }


class Verify:
    """The checks a result has to pass, as maps with their kind, and builder()."""

    @staticmethod
    def builder():
        """A new VerifyBuilder."""
        return VerifyBuilder()

    @staticmethod
    def exact_match(value=None):
        return _check("exact_match", value=value)

    @staticmethod
    def json_schema_valid(schema):
        return {"kind": "json_schema_valid", "schema": schema}

    @staticmethod
    def structured_match(fields):
        return {"kind": "structured_match", "fields": list(fields)}

    @staticmethod
    def majority_vote(field=None, threshold=0.5):
        return _check("majority_vote", field=field, threshold=threshold)

    @staticmethod
    def supermajority_vote(field, threshold=0.67):
        return {"kind": "supermajority_vote", "field": field, "threshold": threshold}

    @staticmethod
    def numeric_tolerance(field, tolerance):
        return {"kind": "numeric_tolerance", "field": field, "tolerance": tolerance}

    @staticmethod
    def numeric_range(field, min_val=None, max_val=None):
        return _check("numeric_range", field=field, min_val=min_val, max_val=max_val)

    @staticmethod
    def set_equality(field):
        return {"kind": "set_equality", "field": field}

    @staticmethod
    def contains_all(substrings):
        return {"kind": "contains_all", "substrings": list(substrings)}

    @staticmethod
    def contains_none(substrings):
        return {"kind": "contains_none", "substrings": list(substrings)}

    @staticmethod
    def regex_match(pattern):
        return {"kind": "regex_match", "pattern": pattern}

    @staticmethod
    def length_bounds(min_len, max_len=None):
        return _check("length_bounds", min_len=min_len, max_len=max_len)

    @staticmethod
    def semantic_similarity(reference=None, threshold=None):
        return _check("semantic_similarity", reference=reference, threshold=threshold)

    @staticmethod
    def no_prompt_leak():
        return {"kind": "no_prompt_leak"}

    @staticmethod
    def entropy_check(min_entropy=None):
        return _check("entropy_check", min_entropy=min_entropy)

    @staticmethod
    def not_empty(field=None):
        return _check("not_empty", field=field)

    @staticmethod
    def contains(substring):
        return {"kind": "contains", "substring": substring}

    @staticmethod
    def length_limit(max_len):
        return {"kind": "length_limit", "max_len": max_len}

    @staticmethod
    def http_status(status=200):
        return {"kind": "http_status", "status": status}

    @staticmethod
    def response_time(max_ms):
        return {"kind": "response_time", "max_ms": max_ms}

    @staticmethod
    def signature_valid(public_key):
        return {"kind": "signature_valid", "public_key": bytes(public_key)}

    @staticmethod
    def tee_attestation(measurement=None):
        return _check("tee_attestation", measurement=measurement)

    @staticmethod
    def deterministic_output():
        return {"kind": "deterministic_output"}

    @staticmethod
    def field_exists(*fields):
        return {"kind": "field_exists", "fields": list(fields)}

    @staticmethod
    def format_check(format):
        return {"kind": "format_check", "format": format}

    @staticmethod
    def custom(name, method=None, **arguments):
        """A rule by its name; with a method, the check of the actor at the address that stands for the name."""
        if method is not None and not arguments:
            return Verify.custom_actor(name, method)
        return {"kind": "custom", "name": name, "arguments": arguments}

    @staticmethod
    def custom_actor(actor_address, method, args=None):
        return {"kind": "custom_actor", "actor_address": bytes(actor_address), "method": method, "args": args}


def _check(kind, **arguments):
    check = {"kind": kind}
    check.update({name: value for name, value in arguments.items() if value is not None})
    return check


class Retry:
    """Up to four attempts, 1, 2, 4 and 8 blocks apart."""

    def __init__(self, max_attempts=3, on_error=None, backoff="exponential"):
        if not 1 <= max_attempts <= 4:
            raise ValueError("1 to 4 attempts")
        if backoff not in ("exponential", "constant"):
            raise ValueError("backoff is exponential or constant")
        self.max_attempts = max_attempts
        self.on_error = on_error
        self.backoff = backoff
        self._made = 0

    def has_next(self):
        """Whether an attempt is left."""
        return self._made < self.max_attempts

    def next_delay(self):
        """How many blocks to wait before the next attempt, which this counts."""
        delay = 1 << self._made if self.backoff == "exponential" else 1
        self._made += 1
        return delay

    def to_dict(self):
        """The policy as it goes into a job."""
        policy = {"max_attempts": self.max_attempts, "backoff": self.backoff}
        if self.on_error is not None:
            policy["on_error"] = self.on_error
        return policy
