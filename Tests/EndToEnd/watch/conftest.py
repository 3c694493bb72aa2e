"""A daemon for `cdev watch`, a session that asks, and the watcher in its terminal."""
import pytest

from harness.watching import Watch


@pytest.fixture
def holding(cdev):
    """A daemon without hooks that holds everything."""
    return cdev.start(no_approver="hold", permission_timeout_seconds=300)


@pytest.fixture
def session(holding):
    made = holding.session()
    made.start()
    return made


@pytest.fixture
def watch(holding):
    return Watch(holding)
