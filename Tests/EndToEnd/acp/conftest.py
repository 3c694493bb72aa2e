"""Editors that speak the Agent Client Protocol with `cdev acp` and with the daemon's /acp, and the real Claude Code."""
import pytest

pytest.register_assert_rewrite("harness.bridge", "harness.editor")

from harness.editor import Editors  # noqa: E402
from harness.runs import Runs  # noqa: E402


@pytest.fixture
def runs(box, cdev):
    return Runs(box, cdev)


@pytest.fixture
def editors(box, cdev):
    """Those of the test. Each message that they were sent is one of the protocol."""
    made = Editors(box, cdev)
    yield made
    assert made.faults() == []


@pytest.fixture
def begin(box, runs, editors, model):
    """Starts the daemon with a script for the model, and an editor: `begin(turn, ..., config=value)`."""
    def make(*turns, conversations=(), **config):
        make.model = model(*turns, conversations=conversations)
        runs.begin(make.model, **config)
        return editors.open()

    return make
