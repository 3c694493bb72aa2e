"""A daemon for `cdev watch`, a session that asks, and the watcher in its terminal."""
import pytest

from harness.watching import Watch


@pytest.fixture
def bare(holding):
    return holding


@pytest.fixture
def watch(holding):
    return Watch(holding)
