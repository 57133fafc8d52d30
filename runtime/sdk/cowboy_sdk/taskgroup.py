"""TaskGroup: up to eight jobs awaited together.

    async with TaskGroup() as tg:
        a = tg.create_task(runner.llm("..."))
        b = tg.create_task(runner.http("..."))
    use(a.result(), b.result())

The end of the block is one suspension point: the continuation resumes when every result is there.
"""

from cowboy_sdk.errors import ContinuationLimitError

_TASKS_MAX = 8


class Task:
    """One job of a group. result() gives its value or raises what it ended with, once the group is done."""

    def __init__(self, job=None):
        self._job = job
        self._ended = False
        self._value = None
        self._error = None

    @classmethod
    def _done(cls, value):
        task = cls()
        task._end(value, None)
        return task

    def _end(self, value, error):
        self._ended, self._value, self._error = True, value, error

    def done(self):
        """Whether the result is there."""
        return self._ended

    def result(self):
        """The job's value; raises what the job ended with."""
        if not self._ended:
            raise RuntimeError("the task has no result before its group ends")
        if self._error is not None:
            raise self._error
        return self._value

    def exception(self):
        """What the job ended with, or None."""
        return self._error


class TaskGroup:
    """async with TaskGroup() as tg, inside a continuation."""

    def __init__(self):
        self._tasks = []

    def create_task(self, job):
        """Adds a job, what runner.<operation>(...) gives; at most eight."""
        from cowboy_sdk._continuation import Awaitable

        if not isinstance(job, Awaitable):
            raise TypeError("create_task takes runner.<operation>(...) or ActorRef(...).async_<method>(...)")
        if len(self._tasks) >= _TASKS_MAX:
            raise ContinuationLimitError("a group has at most 8 tasks")
        task = Task(job)
        self._tasks.append(task)
        return task

    async def __aenter__(self):
        raise ContinuationLimitError("async with TaskGroup() stands inside a continuation")

    async def __aexit__(self, kind, error, trace):
        return False
