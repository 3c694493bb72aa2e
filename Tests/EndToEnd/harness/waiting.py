"""Waiting for something to become true, with a deadline. Tests never sleep: they wait here or on an event."""
import time

# One place to stretch every deadline, for slow machines and for sanitizer builds.
import os

PATIENCE = float(os.environ.get("CDEV_E2E_PATIENCE", "1"))


class Late(AssertionError):
    """Something did not happen in time."""


def until(probe, what, timeout=10.0, pause=0.02):
    """Calls `probe` until it returns something true, and returns that. `what` says what was awaited, for the error."""
    end = time.monotonic() + timeout * PATIENCE
    while True:
        value = probe()
        if value:
            return value
        if time.monotonic() > end:
            said = what() if callable(what) else what
            raise Late(f"waited {timeout * PATIENCE:.1f} s for {said}")
        time.sleep(pause)


def file_appears(path, timeout=10.0):
    until(path.exists, f"{path} to appear", timeout)
    return path


def await_condition(condition, probe, what, timeout=10.0):
    """As `until`, for state guarded by a `threading.Condition` whose owner notifies on every change."""
    end = time.monotonic() + timeout * PATIENCE
    with condition:
        while True:
            value = probe()
            if value:
                return value
            left = end - time.monotonic()
            if left <= 0:
                said = what() if callable(what) else what
                raise Late(f"waited {timeout * PATIENCE:.1f} s for {said}")
            condition.wait(left)
