"""Sessions that the daemon runs, on a disk that is full for a while."""
import errno
import subprocess

import pytest

from harness.agents import GOOD, Agents, Bystanders
from harness.approver import RpcError
from harness.checks import includes
from harness.waiting import until


def mount(box, kind, options):
    """A file system that holds the daemon's state."""
    box.cdev_home.mkdir(mode=0o700)
    mounted = subprocess.run(
        ["mount", "-t", kind, "-o", options, "none", box.cdev_home], capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")
    # Behind the daemon's end, which is asked for later.
    box.on_close(lambda: subprocess.run(["umount", "-l", box.cdev_home], check=True))


class Disk:
    """A disk of 24 MiB."""

    def __init__(self, box):
        mount(box, "tmpfs", "size=24m,mode=700")
        self.rest = box.cdev_home / "rest"

    def fill(self):
        with open(self.rest, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError as error:
                assert error.errno == errno.ENOSPC
        self.is_full()

    def is_full(self):
        """Nothing that was given back meanwhile is left."""
        with open(self.rest, "ab", buffering=0) as file:
            with pytest.raises(OSError):
                while True:
                    file.write(bytes(4096))

    def make_room(self):
        self.rest.unlink()


@pytest.fixture
def disk(box):
    return Disk(box)


@pytest.fixture
def without_holes(box):
    """A file system that takes nothing back of a file that goes on."""
    mount(box, "ramfs", "mode=700")


@pytest.fixture
def agents(disk, box, cdev):
    return Agents(box, cdev)


def unwritten(error):
    assert error.value.code == -32603 and "could not be written down" in error.value.message, error.value
    assert error.value.data == {"done": True}


def test_a_prompt_that_cannot_be_written_down_is_run_and_that_is_said(disk, agents):
    agents.begin({"prompts": [["begin", ["wait", "room"], ["say", "done"], "end"], GOOD]})
    bystanders = Bystanders(agents)
    agents.start()
    agents.becomes("idle")
    disk.fill()
    number = "11111111-0000-4000-8000-000000000000"
    with pytest.raises(RpcError) as error:
        agents.send("go", prompt_id=number)
    unwritten(error)
    with pytest.raises(RpcError) as error:
        agents.call("session/set", session_id=agents.session["id"], title="another")
    unwritten(error)
    disk.make_room()
    until(lambda: taken(agents, number), "the row to be written", 20)
    agents.let("room")
    agents.ends(number, "completed")
    agents.ends(agents.prompt(), "completed")
    assert agents.prompts_heard()[0] == number and len(agents.prompts_heard()) == 2
    bystanders.noticed_nothing()
    agents.cdev.kill()
    agents.cdev.start()
    assert agents.state()["title"] == "another"
    agents.stop()


def taken(agents, number):
    try:
        return agents.fate(number)["status"] == "sent"
    except RpcError:
        return False


def test_an_agent_whose_output_finds_no_room_goes_on_when_there_is_some(disk, agents):
    agents.begin({"prompts": [["begin", ["wait", "full"], ["pour", 4, "\n"], ["say", "done"], "end"], GOOD]})
    agents.start()
    number = agents.prompt()
    agents.awaits("full")
    disk.fill()
    agents.let("full")
    until((agents.folder / "no room").exists, "the agent to find no room", 20)
    includes(agents.state(), status="running", is_running=True)
    disk.make_room()
    agents.ends(number, "completed")
    assert agents.driver.heard("claude_usage", session_id=agents.session["id"], text="done")
    agents.ends(agents.prompt(), "completed")
    agents.stop()


def test_an_agent_that_dies_of_a_full_disk_is_started_anew_when_there_is_room(disk, agents):
    """As one that cannot print does; half of a line stays behind."""
    agents.begin({"prompts": [["begin", ["wait", "full"], ["raw", '{"type":"res'], "die"]]}, {})
    agents.start()
    number = agents.prompt()
    agents.awaits("full")
    disk.fill()
    agents.let("full")
    until(lambda: agents.state()["claude_state"] == "parked" or (agents.folder / "no room").exists(), "the agent to print", 20)
    disk.make_room()
    agents.becomes("parked")
    assert "signal 9" in agents.ends(number, "failed")["error"]
    agents.ends(agents.prompt(), "completed")
    agents.stop()


def test_a_session_that_finds_no_room_is_not_started_or_says_so(disk, agents):
    """Whichever: the answer says what is wrong, and nothing runs that nobody knows of."""
    agents.begin()
    disk.fill()
    with pytest.raises(RpcError) as error:
        agents.start()
    assert "written down" in error.value.message or "disk" in error.value.message or "space" in error.value.message
    disk.make_room()
    listed = agents.call("session/active")["sessions"]
    for session in listed:
        agents.session = session
        agents.stop()
    agents.start()
    agents.ends(agents.prompt(), "completed")
    agents.stop()


def test_an_answer_that_finds_no_room_is_no_allow(disk, agents):
    """A deny reaches the agent, which goes on."""
    agents.begin({"prompts": [["begin", ["ask", "q", "touch x", "toolu_q"], ["answered", "q"], ["wait", "room"], "end"], GOOD]})
    agents.start()
    number = agents.prompt()
    card = agents.driver.card(tool_use_id="toolu_q")
    disk.fill()
    with pytest.raises(RpcError, match="could not be recorded"):
        agents.driver.respond(card, "allow")
    answer = agents.answer_heard("q")
    assert answer["response"]["behavior"] == "deny", answer
    disk.make_room()
    agents.let("room")
    agents.ends(number, "completed")
    agents.ends(agents.prompt(), "completed")
    agents.stop()


@pytest.mark.long
def test_where_nothing_is_taken_off_again_the_next_agent_begins_anew(without_holes, box, cdev):
    """Between two turns an agent with a long output makes way for another."""
    agents = Agents(box, cdev)
    pours = [["pour", 40, "\n"]] * 4
    agents.begin({"prompts": [GOOD, ["begin", *pours, ["wait", "go"], ["say", "done"], "end"]]}, {})
    agents.start()
    agents.ends(agents.prompt(), "completed")
    agents.becomes("idle")
    (first,) = agents.processes()
    number = agents.prompt()
    agents.awaits("go")
    assert agents.processes() == [first], "it is in the middle of a turn"
    agents.let("go")
    agents.ends(number, "completed", 90)
    agents.becomes("parked")
    agents.ends(agents.prompt(), "completed")
    agents.becomes("idle")
    (second,) = agents.processes()
    assert second != first
    kept = sum(file.stat().st_blocks * 512 for file in (box.cdev_home / "sessions" / agents.session["id"]).iterdir())
    assert kept < 1 << 20
    agents.stop()
