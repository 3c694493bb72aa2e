"""A device that drove a session and was put out: what it sent and the agent does not have is not run."""
import uuid

import pytest

from harness.agents import Bystanders
from harness.approver import RpcError
from harness.checks import includes


def device(agents, name):
    return agents.cdev.approver(name, token=agents.call("token/create", name=name, rights="drive")["token"])


@pytest.fixture
def phone(agents):
    """A driver at a session whose agent has not answered yet: its prompts wait."""
    agents.begin({"initialize": [["wait", "begin"], "ready"]})
    agents.bystanders = Bystanders(agents)
    agents.start()
    return device(agents, "phone")


def sent(agents, client, text):
    number = str(uuid.uuid4())
    includes(client.call("session/send", {"session_id": agents.session["id"], "prompt": text, "prompt_id": number}), status="sent")
    return number


def test_the_prompts_of_a_driver_wait_for_the_agent(agents, phone):
    """So the tests below can fail."""
    numbers = [sent(agents, phone, "of the phone"), agents.prompt("of another")]
    agents.let("begin")
    for number in numbers:
        agents.ends(number, "completed")
    assert agents.prompts_heard() == numbers
    agents.stop()


@pytest.mark.parametrize("by", ["token/revoke", "device/revoke"])
def test_the_waiting_prompts_of_a_revoked_device_are_dropped(agents, phone, by):
    number, other = sent(agents, phone, "of the phone"), agents.prompt("of another")
    agents.awaits("begin")
    if by == "token/revoke":
        agents.call(by, name="phone")
    else:
        (listed,) = [one for one in agents.call("device/list")["devices"] if one["name"] == "phone"]
        agents.call(by, device_id=listed["device_id"])
    phone.closed()
    agents.let("begin")
    agents.ends(other, "completed")
    assert agents.prompts_heard() == [other]
    agents.ends(number, "cancelled")
    agents.bystanders.noticed_nothing()
    agents.stop()


def test_a_first_prompt_of_a_revoked_device_is_dropped_with_its_session_left(agents, phone):
    number = str(uuid.uuid4())
    folder, workspace = agents.place("second", [{"initialize": [["wait", "begin"], "ready"]}])
    agents.folder = folder
    agents.session = phone.call("session/start", {"workspace_id": workspace, "prompt": "of the phone", "prompt_id": number})
    agents.awaits("begin")
    agents.call("token/revoke", name="phone")
    phone.closed()
    agents.let("begin")
    agents.becomes("idle")
    other = agents.prompt("of another")
    agents.ends(other, "completed")
    assert agents.prompts_heard() == [other]
    agents.stop()


def test_neither_does_the_next_daemon_give_them_to_the_agent(agents, phone):
    number = sent(agents, phone, "of the phone")
    agents.awaits("begin")
    agents.restart()
    agents.call("token/revoke", name="phone")
    agents.let("begin")
    other = agents.prompt("of another")
    agents.ends(other, "completed")
    assert agents.prompts_heard() == [other]
    agents.ends(number, "cancelled")
    agents.stop()


@pytest.mark.parametrize("size", [10, 300_000])
def test_what_an_agent_has_not_read_is_run_by_no_other(agents, size):
    """Neither what lies in its pipe nor the rest that waits for room there."""
    agents.begin({"initialize": ["ready", ["wait", "read"]]}, {})
    agents.start()
    agents.becomes("idle")
    phone = device(agents, "phone")
    number, other = sent(agents, phone, "x" * size), agents.prompt("of another")
    agents.call("token/revoke", name="phone")
    phone.closed()
    agents.ends(number, "cancelled")
    # An agent that could still be kept from having any of it goes on.
    agents.let("read")
    agents.ends(other, "completed")
    assert agents.prompts_heard() == [other]
    agents.stop()
