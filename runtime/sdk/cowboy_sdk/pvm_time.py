"""The block's time, for programs that ask a clock: nothing moves within a block."""

import pvm_host as _host


def time_ms():
    """The block's timestamp in milliseconds since 1970."""
    return _host.get_timestamp_ms()


def time_ns():
    """The block's timestamp in nanoseconds since 1970."""
    return _host.get_timestamp_ms() * 1_000_000


def time():
    """The block's timestamp in seconds since 1970, as a float."""
    return _host.get_timestamp_ms() / 1000


def block_height():
    """The block's height."""
    return _host.get_block_height()
