"""Agents that do not start: whoever started the session, and whoever prompts it, gets the reason, and no process is left."""
import concurrent.futures
import os
import signal
import uuid

import pytest

from harness.approver import RpcError
from harness.generated import IS_LONG
from harness.waiting import until


def never_starts(agents, *words, timeout=20):
    """A session whose agent does not start. Returns the reason, in which these words stand."""
    number = str(uuid.uuid4())
    agents.start()
    return fails(agents, number, words, timeout)


def fails(agents, number, words, timeout=20):
    """Its prompt fails with the reason, which all who ask for it get in the same words."""
    try:
        agents.send("go", prompt_id=number)
        said = agents.ends(number, "failed", timeout)["error"]
    except RpcError as refusal:
        # It had failed by then.
        said = refusal.message.removeprefix("the agent did not start: ")
    until(lambda: agents.state()["status"] == "stopped", lambda: f"the start to fail: {agents.state()}", timeout)
    assert agents.state()["error"] == said and all(word in said for word in words), said
    assert agents.driver.hear("session_stopped", session_id=agents.session["id"])["reason"]
    with pytest.raises(RpcError) as refusal:
        agents.send("more")
    assert refusal.value.message == f"the agent did not start: {said}"
    assert agents.call("session/active")["count"] == 0
    agents.is_gone()
    return said


def a_terminal_is_asked(agents):
    terminal = agents.cdev.session()
    terminal.start()
    held = terminal.bash("touch x")
    agents.driver.respond(agents.driver.card(tool_use_id=held.tool_use_id), "allow")
    assert held.decision() == "allow"


def directory(box):
    return box.project


def no_program(box):
    file = box.root / "agent.txt"
    file.write_text("#!/bin/sh\nexit 0\n")
    return file


def nothing(box):
    return box.root / "nowhere" / "agent"


def a_link_to_itself(box):
    link = box.root / "link"
    link.symlink_to(link)
    return link


def no_code(box):
    file = box.root / "agent.bin"
    file.write_bytes(b"\x7fELF" + bytes(100))
    file.chmod(0o755)
    return file


def another_interpreter(box):
    file = box.root / "agent.sh"
    file.write_text("#!/nowhere/interpreter\n")
    file.chmod(0o755)
    return file


@pytest.mark.parametrize("program", [directory, no_program, nothing, a_link_to_itself, no_code, another_interpreter])
def test_a_program_that_cannot_be_run_is_named(box, agents, program):
    path = program(box)
    agents.begin(program=path)
    never_starts(agents, str(path), "could not be started")
    a_terminal_is_asked(agents)


@pytest.mark.parametrize("end, words", [
    (["leave", 0], "status 0"), (["leave", 1], "status 1"), (["leave", 255], "status 255"), ("die", "signal 9")])
def test_an_agent_that_ends_at_once_is_no_session(agents, end, words):
    agents.begin({"start": [end]})
    never_starts(agents, words)
    a_terminal_is_asked(agents)


def test_an_agent_that_ends_before_it_is_ready_fails_each_prompt_once(agents):
    agents.begin({"initialize": [["wait", "prompts"], ["leave", 1]]})
    agents.start()
    numbers = [agents.prompt() for _ in range(5)]
    agents.let("prompts")
    for number in numbers:
        assert "status 1" in agents.ends(number, "failed")["error"]
    assert agents.prompts_heard() == []
    agents.is_gone()


def test_an_agent_that_refuses_to_begin_is_quoted(agents):
    agents.begin({"initialize": [["refuse", "this account may not be used"]]})
    never_starts(agents, "this account may not be used")
    a_terminal_is_asked(agents)


def test_an_agent_that_starts_anew_at_once_and_ends_again_is_not_started_for_ever(agents):
    """It was ready once; of the prompts that no agent takes up each is given to two of them."""
    agents.begin({"prompts": [["die"]]})
    agents.start()
    number = agents.prompt()
    assert "signal 9" in agents.ends(number, "failed")["error"]
    agents.becomes("parked")
    assert agents.prompts_heard() == [number, number]
    agents.is_gone()


def test_a_session_whose_agent_hangs_can_be_stopped(agents):
    """It answers nothing, and goes on after each signal that it can."""
    agents.begin({"start": [["outlive", "SIGTERM"], ["outlive", "SIGINT"], "hang"]})
    agents.start()
    agents.awaits("never")
    number = agents.prompt()
    assert agents.state()["claude_state"] == "starting"
    a_terminal_is_asked(agents)
    agents.stop()
    agents.ends(number, "cancelled")
    a_terminal_is_asked(agents)


def test_a_hung_agent_can_be_stopped_behind_a_restart(agents):
    agents.begin({"start": [["outlive", "SIGTERM"], "hang"]})
    agents.start()
    agents.awaits("never")
    agents.cdev.kill()
    agents.cdev.start()
    assert agents.state()["claude_state"] == "starting"
    agents.stop()


@pytest.mark.long
@pytest.mark.skipif(not IS_LONG, reason="takes more than a minute: set CDEV_LONG_TESTS=1")
def test_an_agent_that_hangs_at_its_start_is_ended_after_a_minute(agents):
    agents.begin({"start": [["outlive", "SIGTERM"], "hang"]})
    agents.start()
    number = agents.prompt()
    said = agents.ends(number, "failed", 80)
    assert said["error"] == "the agent did not answer for 60 s"
    until(lambda: agents.state()["status"] == "stopped", lambda: f"{agents.state()}", 20)
    assert agents.state()["error"] == said["error"]
    agents.is_gone()


def test_a_killed_agent_that_never_started_leaves_nothing_of_it(box, agents):
    """Another session begins anew, with a process of its own."""
    agents.begin({"start": ["hang"]}, {})
    agents.start()
    agents.awaits("never")
    (process,) = agents.processes()
    os.kill(process, signal.SIGKILL)
    until(lambda: agents.state()["status"] == "stopped", lambda: f"{agents.state()}", 20)
    assert "signal 9" in agents.state()["error"]
    first = agents.start()
    agents.ends(agents.prompt(), "completed")
    assert agents.session["id"] == first and process not in agents.processes()
    agents.stop()
    until(lambda: not list((box.cdev_home / "sessions").iterdir()), "the files to be removed")


def test_ten_that_go_on_in_one_conversation_at_once_are_one_process(agents):
    agents.begin()
    conversation = str(uuid.uuid4())

    def start(_):
        try:
            return agents.call("session/start", workspace_id=agents.workspace, resume_session_id=conversation)["id"]
        except RpcError as refusal:
            assert "run already" in refusal.message
            return refusal.data["session_id"]

    with concurrent.futures.ThreadPoolExecutor(10) as pool:
        (session,) = set(pool.map(start, range(10)))
    agents.session = {"id": session}
    agents.becomes("idle")
    assert len(agents.processes()) == 1 and len((agents.folder / "started").read_text().splitlines()) == 1
    agents.stop()


def test_a_directory_that_is_gone_is_named(box, agents):
    agents.begin()
    (box.root / "odd").rmdir()
    never_starts(agents, "odd")
    a_terminal_is_asked(agents)


def test_what_an_agent_says_when_it_ends_at_once_is_quoted(agents):
    """The last of it, where it is much."""
    words = "Error: this model may not be used with this account"
    agents.begin({"start": [["complain", "x" * 3000 + "\n"], ["complain", f"{words}\n"], ["leave", 1]]})
    said = never_starts(agents, words)
    assert len(said) < 2000
