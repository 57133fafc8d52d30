# An event loop small enough for the tests of coroutines: callbacks first in, first
# out, no clock.


class CancelledError(BaseException):
    pass


class InvalidStateError(Exception):
    pass


TimeoutError = TimeoutError


class Future:
    def __init__(self, *, loop=None):
        self._loop = loop or get_event_loop()
        self._done, self._result, self._error, self._callbacks = False, None, None, []

    def done(self):
        return self._done

    def cancelled(self):
        return isinstance(self._error, CancelledError)

    def _finish(self):
        self._done = True
        for f in self._callbacks:
            self._loop.call_soon(f, self)

    def set_result(self, value):
        if self._done:
            raise InvalidStateError("invalid state")
        self._result = value
        self._finish()

    def set_exception(self, error):
        self._error = error() if isinstance(error, type) else error
        self._finish()

    def cancel(self, msg=None):
        if self._done:
            return False
        self.set_exception(CancelledError())
        return True

    def result(self):
        if not self._done:
            raise InvalidStateError("Result is not set.")
        if self._error is not None:
            raise self._error
        return self._result

    def exception(self):
        return self._error

    def add_done_callback(self, f, *, context=None):
        if self._done:
            self._loop.call_soon(f, self)
        else:
            self._callbacks.append(f)

    def __await__(self):
        if not self._done:
            yield self
        return self.result()

    __iter__ = __await__


class Task(Future):
    def __init__(self, coro, *, loop=None, name=None):
        super().__init__(loop=loop)
        self._coro, self._cancel, self._waits = coro, False, None
        self._loop.call_soon(self._step)

    def cancel(self, msg=None):
        if self._done:
            return False
        if self._waits is not None and self._waits.cancel():
            return True
        self._cancel = True
        return True

    def _step(self, future=None):
        if self._done:
            return
        self._waits = None
        try:
            if self._cancel:
                self._cancel = False
                waits = self._coro.throw(CancelledError())
            else:
                waits = self._coro.send(None)
        except StopIteration as e:
            self.set_result(e.value)
        except (KeyboardInterrupt, SystemExit) as e:
            self.set_exception(e)
            raise
        except BaseException as e:
            self.set_exception(e)
        else:
            if waits is None:
                self._loop.call_soon(self._step)
            else:
                self._waits = waits
                waits.add_done_callback(self._step)
                if self._cancel and waits.cancel():
                    self._cancel = False


class _Loop:
    def __init__(self):
        self._ready, self._closed, self._handler, self._asyncgens = [], False, None, []

    def call_soon(self, f, *args, context=None):
        self._ready.append((f, args))

    def call_later(self, delay, f, *args, context=None):
        self.call_soon(f, *args)

    def create_future(self):
        return Future(loop=self)

    def create_task(self, coro, *, name=None, context=None):
        return Task(coro, loop=self)

    def set_exception_handler(self, handler):
        self._handler = handler

    def set_debug(self, on):
        pass

    def get_debug(self):
        return False

    def run_until_complete(self, what):
        future = what if isinstance(what, Future) else Task(what, loop=self)
        global _current
        old, _current = _current, self
        try:
            while not future.done():
                if not self._ready:
                    raise RuntimeError("Event loop stopped before Future completed.")
                f, args = self._ready.pop(0)
                f(*args)
        finally:
            _current = old
        return future.result()

    def run_forever(self):
        while self._ready:
            f, args = self._ready.pop(0)
            f(*args)

    def stop(self):
        pass

    def is_running(self):
        return _current is self

    def is_closed(self):
        return self._closed

    async def shutdown_asyncgens(self):
        import unittest
        raise unittest.SkipTest("asynchronous generators that nobody refers to")

    async def shutdown_default_executor(self):
        pass

    def close(self):
        self._closed = True


_current = None
_default = None


def new_event_loop():
    return _Loop()


def set_event_loop(loop):
    global _default
    _default = loop


def set_event_loop_policy(policy):
    pass


def get_event_loop():
    global _default
    if _current is not None:
        return _current
    if _default is None:
        _default = _Loop()
    return _default


def get_running_loop():
    if _current is None:
        raise RuntimeError("no running event loop")
    return _current


def create_task(coro, *, name=None):
    return Task(coro, loop=get_running_loop())


def ensure_future(what, *, loop=None):
    return what if isinstance(what, Future) else Task(what, loop=loop)


def current_task(loop=None):
    return None


class _Once:
    def __await__(self):
        yield


async def sleep(delay, result=None):
    await _Once()
    return result


async def gather(*whats, return_exceptions=False):
    tasks = [ensure_future(w) for w in whats]
    out = []
    for t in tasks:
        try:
            out.append(await t)
        except Exception as e:
            if not return_exceptions:
                raise
            out.append(e)
    return out


async def wait_for(what, timeout):
    return await what


def run(coro, *, debug=None):
    loop = _Loop()
    try:
        return loop.run_until_complete(coro)
    finally:
        loop.close()


def iscoroutine(x):
    import types
    return isinstance(x, types.CoroutineType)


def iscoroutinefunction(f):
    import inspect
    return inspect.iscoroutinefunction(f)


class Event:
    def __init__(self):
        self._set, self._waiting = False, []

    def is_set(self):
        return self._set

    def set(self):
        self._set = True
        for f in self._waiting:
            if not f.done():
                f.set_result(True)
        self._waiting = []

    def clear(self):
        self._set = False

    async def wait(self):
        if not self._set:
            f = Future()
            self._waiting.append(f)
            await f
        return True


class Lock:
    def __init__(self):
        self._locked, self._waiting = False, []

    async def acquire(self):
        while self._locked:
            f = Future()
            self._waiting.append(f)
            await f
        self._locked = True

    def release(self):
        self._locked = False
        while self._waiting:
            f = self._waiting.pop(0)
            if not f.done():
                f.set_result(None)
                break

    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, *args):
        self.release()


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    import _absent
    return _absent.Absent("asyncio." + name)
