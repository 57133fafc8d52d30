"""The machinery under @runner.continuation and @actor.continuation.

Loading a module rewrites each continuation into a function that begins at a state number; this module calls it, saves a record where it
awaits, and calls it again when the result is there.
"""

import pvm_host as _host
from cowboy_sdk import _records
from cowboy_sdk._freeze import freeze, thaw
from cowboy_sdk._mapping import Mapping
from cowboy_sdk.errors import (
    ActorCallError,
    ContinuationLimitError,
    ContinuationNotFoundError,
    DeterministicValidationError,
    LoopBoundExceeded,
    PermissionDeniedError,
    RunnerTimeoutError,
    RunnerValidationError,
    StateConflictError,
)

_starting = []


class Awaitable:
    """A job or an asynchronous call that has not been made yet: what a continuation can await."""

    timeout_blocks = None
    source = b""

    def submit(self, cid, handler, timeout_block):
        """Issues the effect. The answer is to name cid and to go to the actor's handler."""
        raise NotImplementedError

    def about(self):
        """What has to be remembered to read the answer: a map."""
        return {}

    def __await__(self):
        raise ContinuationLimitError("await it inside a method under @runner.continuation or @actor.continuation")
        yield


# ---- called by rewritten functions


def lowered(states, positional, keywords, method):
    """Marks a rewritten function with how it is called for a resumption."""

    def mark(function):
        function.__cowboy_lowered__ = (states, positional, keywords, method)
        return function

    return mark


def frame():
    """The execution that has just been started."""
    if not _starting:
        raise ContinuationLimitError("a continuation is started through its decorator")
    return _starting.pop()


def items(iterable, bound):
    """What a loop iterates over, as a list of at most bound elements; -1 asks for no bound."""
    found = list(iterable)
    if 0 <= bound < len(found):
        raise LoopBoundExceeded(str(len(found)) + " iterations; at most " + str(bound) + " are allowed")
    return found


def more(found, count):
    return count < len(found)


def item(found, count):
    return found[count]


def span(numbers, bound):
    """A range as [start, step, length]."""
    if not isinstance(numbers, range):
        raise ContinuationLimitError("range is not the built-in one")
    if 0 <= bound < len(numbers):
        raise LoopBoundExceeded(str(len(numbers)) + " iterations; at most " + str(bound) + " are allowed")
    return [numbers.start, numbers.step, len(numbers)]


def more_of_span(numbers, count):
    return count < numbers[2]


def item_of_span(numbers, count):
    return numbers[0] + count * numbers[1]


def bounded(count, bound):
    """Counts an iteration of a while loop."""
    if count >= bound:
        raise LoopBoundExceeded("more than " + str(bound) + " iterations")
    return count + 1


class Frame:
    """One execution of a continuation, from its start or a resumption to the next await or the end."""

    def __init__(self, starter, state=0, kept=None):
        self.state = state
        self.kept = kept
        self.waiting = False
        self._starter = starter
        self._value = None
        self._error = None

    def wait(self, awaited, state, kept):
        """Issues what is awaited and saves the record; False if the value is there already."""
        tasks = _tasks(awaited)
        if tasks is None:
            if not isinstance(awaited, Awaitable):
                self._value, self._error = _finish(awaited), None
                return False
            jobs = [awaited]
        else:
            jobs = [task._job for task in tasks]
            if not jobs:
                return False
        starter = self._starter
        for job in jobs:
            if job.source and not starter.actor_calls:
                raise ContinuationLimitError("ActorRef(...).async_<method>() is awaited in @actor.continuation")
        height = _host.get_block_height()
        deadlines = [height + _timeout(job, starter) if _timeout(job, starter) else 0 for job in jobs]
        cid = _records.new_cid(None, starter.name)
        record = {
            "handler": starter.name, "state": state, "group": tasks is not None,
            "ctx": {name: freeze(value, name, tasks or ()) for name, value in kept.items()},
            "created": height, "timeout": 0 if 0 in deadlines else max(deadlines),
            "guards": _fingerprints(starter.guards), "about": [job.about() for job in jobs],
            "from": jobs[0].source if tasks is None else [job.source for job in jobs],
        }
        names = [cid if tasks is None else cid + ":" + str(i) for i in range(len(jobs))]
        resume = starter.name + "__resume"
        try:
            if any(job.source and deadline for job, deadline in zip(jobs, deadlines)):
                record["timers"] = [_wake(jobs[i], names[i], deadlines[i], resume) for i in range(len(jobs))]
            _records.save(cid, record)
            for job, name, deadline in zip(jobs, names, deadlines):
                job.submit(name, resume, deadline)
        except Exception:
            _cancel(record)
            _records.delete(cid)
            raise
        self.waiting = True
        return True

    def result(self):
        """The value awaited; raises what it ended with."""
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        return self._value


def _tasks(awaited):
    from cowboy_sdk.taskgroup import TaskGroup

    return awaited._tasks if isinstance(awaited, TaskGroup) else None


def _timeout(job, starter):
    return starter.timeout_blocks if job.timeout_blocks is None else job.timeout_blocks


def _wake(job, name, deadline, resume):
    """Sets the timer that ends the wait for an actor in its timeout block, whatever becomes of the call; b"" where there is none. The dispatcher sees
    to jobs."""
    if not job.source or not deadline:
        return b""
    return _host.set_timer(deadline, resume, {
        "cid": name, "status": "error", "result": {"error": "timeout", "message": "no result by block " + str(deadline)},
    })


def _cancel(record, part=None):
    """Cancels the timers of a record, or that of one part."""
    timers = record.get("timers", [])
    for timer in timers if part is None else timers[part:part + 1]:
        if timer:
            _host.cancel_timer(timer)


def _fingerprints(keys):
    if not keys:
        return {}
    from cowboy_sdk.guards import GuardSet

    return GuardSet(*keys).fingerprints()


def _finish(coroutine):
    """Runs a coroutine that does not suspend to its end."""
    send = getattr(coroutine, "send", None)
    if send is None:
        raise ContinuationLimitError("a continuation awaits runner.<operation>(...), not " + type(coroutine).__name__)
    try:
        send(None)
    except StopIteration as end:
        return end.value
    raise ContinuationLimitError("what a continuation awaits may not suspend on its own")


# ---- decorators and resumption


class _Starter:
    """What is known of one continuation."""

    def __init__(self, function, timeout_blocks, guards, actor_calls):
        self.function = function
        self.name = function.__name__
        self.timeout_blocks = timeout_blocks
        self.guards = tuple(guards or ())
        self.actor_calls = actor_calls

    def call(self, begun, args, kwargs):
        depth = len(_starting)
        _starting.append(begun)
        try:
            return self.function(*args, **kwargs)
        finally:
            del _starting[depth:]


def decorate(function, timeout_blocks, guard_unchanged, guard_keys, actor_calls):
    """The decorator: bare, or with its options."""
    if function is None:
        return lambda function: decorate(function, timeout_blocks, guard_unchanged, guard_keys, actor_calls)
    _lowering(function)
    known = _Starter(function, timeout_blocks, guard_unchanged if guard_unchanged is not None else guard_keys, actor_calls)

    def start(*args, **kwargs):
        return known.call(Frame(known), args, kwargs)

    start.__name__ = function.__name__
    start.__qualname__ = function.__qualname__
    start.__doc__ = function.__doc__
    start.__wrapped__ = function
    start.__cowboy_continuation__ = True
    start.__cowboy_starter__ = known
    return start


def _lowering(function):
    for _ in range(8):
        found = getattr(function, "__cowboy_lowered__", None)
        if found is not None:
            return found
        function = getattr(function, "__wrapped__", None)
        if function is None:
            break
    raise ContinuationLimitError(
        "a continuation is an async def of a class or module, decorated by name: @runner.continuation or @actor.continuation"
    )


def _starter_of(function):
    for _ in range(8):
        known = getattr(function, "__cowboy_starter__", None)
        if known is not None:
            return known
        function = getattr(function, "__wrapped__", None)
        if function is None:
            break
    raise ContinuationLimitError("the decorators above a continuation keep __wrapped__")


def resume_step(function):
    """The method <name>__resume of a continuation."""
    known = _starter_of(function)
    states, positional, keywords, method = _lowering(known.function)

    if method:
        def resume(self, msg):
            """Goes on with the continuation whose result msg is."""
            return _resume(known, [self] + [None] * positional, keywords, msg)
    else:
        def resume(msg):
            """Goes on with the continuation whose result msg is."""
            return _resume(known, [None] * positional, keywords, msg)

    resume.__name__ = known.name + "__resume"
    resume.__qualname__ = resume.__name__
    resume.__wrapped__ = known.function
    resume.__cowboy_internal__ = True
    resume.__cowboy_mode__ = "deferred"
    resume.__cowboy_access__ = ()
    return resume


def _resume(known, args, keywords, msg):
    if isinstance(msg, (bytes, bytearray)):
        msg = _host.cbor_decode(msg)
    full = msg["cid"]
    cid, _, part = full.partition(":")
    record = _records.load(cid)
    if record["handler"] != known.name or record["group"] != bool(part):
        raise ContinuationNotFoundError("no await of " + known.name + " waits for " + full)
    _check_sender(record["from"][int(part)] if part else record["from"])
    late = 0 < record["timeout"] < _host.get_block_height()
    if part:
        answers = _gather(record, cid, int(part), msg, late)
        if answers is None:
            return None
    else:
        answers = [msg]
    _cancel(record)
    _records.delete(cid)
    _check_guards(record["guards"])
    outcomes = [_outcome(about, answer, late) for about, answer in zip(record["about"], answers)]
    tasks = ()
    if part:
        from cowboy_sdk.taskgroup import Task

        tasks = [Task() for _ in outcomes]
        for task, (value, error) in zip(tasks, outcomes):
            task._end(value, error)
    begun = Frame(known, record["state"], {name: thaw(value, tasks) for name, value in record["ctx"].items()})
    if not part:
        begun._value, begun._error = outcomes[0]
    return known.call(begun, args, {name: None for name in keywords})


def _gather(record, cid, part, msg, late):
    """Keeps one answer of a group; gives all of them with the last, or with one that is late."""
    count = len(record["about"])
    own = "__runner_result:" + cid + ":" + str(part)
    if part >= count or _host.record_get(own) is not None:
        raise ContinuationNotFoundError("the result of task " + str(part) + " is there already")
    raw = [_host.record_get("__runner_result:" + cid + ":" + str(i)) if i != part else b"" for i in range(count)]
    if None in raw and not late:
        _cancel(record, part)
        _host.record_set(own, _host.cbor_encode({key: msg[key] for key in ("cid", "status", "result", "proof") if key in msg}))
        return None
    answers = []
    for i, kept in enumerate(raw):
        if i == part:
            answers.append(msg)
        elif kept is None:
            answers.append({"status": "error", "result": {"error": "timeout", "message": "no result in time"}})
        else:
            answers.append(_host.cbor_decode(kept))
            _host.record_delete("__runner_result:" + cid + ":" + str(i))
    return answers


def _check_sender(expected):
    """Results come from the chain's own actors, from the actor called, or from the actor itself."""
    sender = _host.get_sender()
    if _host.is_intra() or sender is not None and (sender[:19] == bytes(19) or sender == expected):
        return
    raise PermissionDeniedError("the sender may not resume this continuation")


def _check_guards(fingerprints):
    if fingerprints:
        from cowboy_sdk.guards import GuardSet

        GuardSet._of(fingerprints).verify()


def _outcome(about, answer, late):
    """What an answer means: a value or an error."""
    if late:
        return None, RunnerTimeoutError("the result came after the timeout block")
    result = answer.get("result")
    if answer.get("status", "ok") != "ok":
        return None, _error(about, result if result is not None else answer.get("error"))
    if about.get("actor"):
        return result, None
    return _value(about, result, answer)


def _value(about, result, answer):
    from cowboy_sdk.runner import read_result

    try:
        return read_result(about, result, answer.get("proof"), answer.get("context")), None
    except (TypeError, ValueError, KeyError) as e:
        return None, RunnerValidationError("the result does not fit the response model: " + str(e))


def _error(about, result):
    name, text = "", result
    if isinstance(result, dict):
        name = result.get("error", "")
        text = result.get("message", name)
    text = text if isinstance(text, str) else "the job failed"
    if name in ("timeout", "RunnerTimeoutError"):
        return RunnerTimeoutError(text)
    if about.get("actor"):
        return ActorCallError(text)
    if name in ("deterministic", "DeterministicValidationError"):
        return DeterministicValidationError(text)
    return RunnerValidationError(text)
