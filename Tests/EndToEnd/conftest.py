"""Fixtures. Each test gets its own sandbox; nothing is shared but the programs under test."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

pytest.register_assert_rewrite("harness")

from harness import claude as claude_cli  # noqa: E402
from harness.agents import Agents, Bystanders  # noqa: E402
from harness.daemon import Cdev  # noqa: E402
from harness.fake_model import FakeModel  # noqa: E402
from harness.receiver import Receiver  # noqa: E402
from harness.sandbox import Sandbox  # noqa: E402
from harness.tui import Terminal  # noqa: E402

# The daemon looks at the environment a peer was started with, so removing the variable now would not help.
_started_with = pathlib.Path("/proc/self/environ").read_bytes().split(b"\0")
_INSIDE_CLAUDE = any(entry.startswith(b"CLAUDECODE=") for entry in _started_with)


def pytest_configure(config):
    if _INSIDE_CLAUDE:
        raise pytest.UsageError(
            "this shell runs inside Claude Code, and the daemon lets nobody there decide: start Tests/EndToEnd/run.py, "
            "which clears the environment first")


_SANDBOX = pytest.StashKey()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    # Of the node, since the fixtures of a test whose set-up failed are not among its arguments.
    if report.failed and _SANDBOX in item.stash:
        for title, text in item.stash[_SANDBOX].notes:
            report.sections.append((title, _told(text)))
    return report


def _told(text):
    """A note's text; after the sandbox is gone there may be nothing left to tell it from."""
    try:
        return text() if callable(text) else text
    except OSError as error:
        return f"not to be had: {error}"


@pytest.fixture
def box(request):
    request.node.stash[_SANDBOX] = sandbox = Sandbox()
    yield sandbox
    sandbox.close()


@pytest.fixture
def model(box):
    """Makes scripted models: `model(turn, turn, ...)`."""
    def make(*turns, conversations=()):
        made = FakeModel(*turns, conversations=conversations)
        box.on_close(made.close)
        return made

    return make


@pytest.fixture
def claude(box):
    """Starts Claude Code headless: `claude(model, prompt, ...)`."""
    return lambda model, *args, **options: claude_cli.Headless(box, model, *args, **options)


@pytest.fixture
def terminal(box):
    """Starts Claude Code's terminal interface: `terminal(model, ...)`."""
    return lambda model, **options: Terminal(box, model, **options)


@pytest.fixture
def cdev(box):
    """The `cdev` command in the sandbox, its daemon not started."""
    made = Cdev(box)
    if not (made.programs / "cdev").exists():
        pytest.fail(f"no cdev in {made.programs}: build it, or set CDEV_BIN_DIR")
    yield made
    assert made.faults_of_events() == []


@pytest.fixture
def bare(cdev):
    """A daemon whose hooks are not installed."""
    return cdev.start()


@pytest.fixture
def holding(cdev):
    """Such a daemon that holds everything, for longer than a test takes."""
    return cdev.start(no_approver="hold", permission_timeout_seconds=300)


@pytest.fixture
def session(bare):
    """A made-up Claude session at the Unix socket of `bare`."""
    made = bare.session()
    made.start()
    return made


@pytest.fixture
def daemon(cdev):
    """The daemon, running, with its hooks installed in the sandbox's Claude configuration."""
    cdev.ok("install")
    return cdev.start()


@pytest.fixture
def phone(daemon):
    """An approver over WebSocket, connected."""
    return daemon.approver("phone")


@pytest.fixture
def phone_without_hooks(cdev):
    """An approver of a daemon whose hooks are not installed."""
    return cdev.start().approver("phone")


@pytest.fixture
def receiver(box):
    """Where notifications are sent to."""
    made = Receiver()
    box.on_close(made.close)
    box.note("deliveries", lambda: "\n".join(map(repr, made.deliveries)))
    return made


@pytest.fixture
def agents(box, cdev):
    """Sessions whose agent plays a scenario; the daemon is not started."""
    return Agents(box, cdev)


@pytest.fixture
def odd(agents):
    """Begins a session with these scenarios: `odd({...}, ...)`. Whatever its agent did, it can be ended, and nobody noticed."""
    made = []

    def begin(*scenarios, **config):
        agents.begin(*scenarios, **config)
        agents.bystanders = Bystanders(agents)
        made.append(agents.bystanders)
        agents.start()
        return agents

    yield begin
    for bystanders in made:
        bystanders.noticed_nothing()
        agents.stop()
        bystanders.noticed_nothing()
