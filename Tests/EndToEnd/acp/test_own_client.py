"""PyPI `agent-client-protocol` as a client, as it is: over the pipes of `cdev acp` and over the WebSocket."""
import asyncio
import contextlib
import os
import signal

import acp
import pytest
from acp import schema
from acp.ws import create_websocket_stream

from harness.editor import NOTIFICATIONS, REQUESTS, RESULTS, faults_of
from harness.fake_model import bash, say, touch, use
from harness.waiting import PATIENCE, file_appears

pytestmark = pytest.mark.real_cli


class Person(acp.Client):
    """Answers questions with the kinds of options it was given, in their order, then as it was told last."""

    def __init__(self, *kinds):
        self.kinds, self.asked, self.updates, self.changed = list(kinds), [], [], asyncio.Condition()

    async def session_update(self, session_id, update, **_):
        async with self.changed:
            self.updates.append((session_id, update))
            self.changed.notify_all()

    async def request_permission(self, session_id, tool_call, options, **_):
        self.asked.append((session_id, tool_call, options))
        kind = self.kinds.pop(0) if len(self.kinds) > 1 else self.kinds[0]
        (chosen,) = [option for option in options if option.kind == kind]
        outcome = schema.AllowedOutcome(option_id=chosen.option_id, outcome="selected")
        return schema.RequestPermissionResponse(outcome=outcome)

    def text(self, session, kind="agent_message_chunk"):
        return "".join(update.content.text for one, update in list(self.updates) if one == session and update.session_update == kind)

    async def sees(self, probe):
        async with self.changed:
            await self.changed.wait_for(lambda: any(probe(update) for _, update in self.updates))


def watched():
    """An observer of a connection, and the faults that it finds."""
    methods, faults = {}, []

    def look(event):
        message = event.message
        if event.direction == "outgoing":
            methods.update({message["id"]: message["method"]} if "method" in message and "id" in message else {})
        elif "method" in message:
            model = (REQUESTS if "id" in message else NOTIFICATIONS).get(message["method"])
            faults.extend(faults_of(model, message["params"]) if model else [f"nobody knows {message['method']}"])
        elif "result" in message:
            faults.extend(faults_of(RESULTS[methods[message["id"]]], message["result"]))

    return look, faults


@contextlib.asynccontextmanager
async def connected(box, cdev, runs, person, door):
    look, faults = watched()
    if door == "pipes":
        program = acp.spawn_agent_process(
            person, str(cdev.programs / "cdev"), "acp", env=box.env(), cwd=box.home, observers=[look],
            transport_kwargs={"limit": 50 << 20})
        async with program as (connection, process):
            yield connection, process
    else:
        token = runs.call("token/create", name=f"editor {id(person)}", rights="drive")["token"]
        stream = await create_websocket_stream(f"ws://127.0.0.1:{cdev.port}/acp", headers={"Authorization": f"Bearer {token}"})
        connection = acp.connect_to_agent(person, stream, observers=[look])
        try:
            yield connection, None
        finally:
            await connection.close()
    assert faults == []


def played(story):
    asyncio.run(asyncio.wait_for(story, 120 * PATIENCE))


@pytest.mark.parametrize("door", ["pipes", "websocket"])
def test_a_conversation(box, cdev, runs, model, door):
    """New, prompt, two questions, a deny, a mode, a model, a cancel in the middle of a tool, a list, a load with its replay."""
    made, denied, slow = touch("a"), touch("b"), bash("touch started; sleep 600")
    runs.begin(model(use(made), use(denied), say("one is there"), use(slow), say("the end")))

    async def story():
        person = Person("allow_once", "reject_once", "allow_once")
        async with connected(box, cdev, runs, person, door) as (agent, process):
            hello = await agent.initialize(
                protocol_version=acp.PROTOCOL_VERSION, client_info=schema.Implementation(name="e2e", version="1.0.0"))
            assert hello.protocol_version == 1 and hello.agent_capabilities.load_session is True
            session = await agent.new_session(cwd=str(box.project), mcp_servers=[])
            number = session.session_id
            said = await agent.prompt(session_id=number, prompt=[
                acp.text_block("make two files"), acp.resource_link_block("notes.txt", f"file://{box.project}/notes.txt")])
            assert said.stop_reason == "end_turn" and person.text(number) == "one is there"
            assert [tool.tool_call_id for _, tool, _ in person.asked] == [made.id, denied.id]
            assert (box.project / "a").exists() and not (box.project / "b").exists()
            await agent.set_session_mode(session_id=number, mode_id="acceptEdits")
            await person.sees(lambda update: getattr(update, "current_mode_id", None) == "acceptEdits")
            await agent.set_session_mode(session_id=number, mode_id="default")
            chosen = await agent.set_config_option(config_id="model", session_id=number, value="haiku")
            assert any(option.current_value == "haiku" for option in chosen.config_options)
            turn = asyncio.ensure_future(agent.prompt(session_id=number, prompt=[acp.text_block("wait")]))
            await asyncio.to_thread(file_appears, box.project / "started", 30)
            await agent.cancel(session_id=number)
            assert (await turn).stop_reason == "cancelled"
            listed = await agent.list_sessions(cwd=str(box.project))
            assert [one.session_id for one in listed.sessions] == [number]
            if process:
                os.kill(process.pid, signal.SIGKILL)
        other = Person("allow_once")
        async with connected(box, cdev, runs, other, door) as (agent, _):
            await agent.initialize(protocol_version=acp.PROTOCOL_VERSION)
            loaded = await agent.load_session(cwd=str(box.project), session_id=number, mcp_servers=[])
            assert loaded.modes.current_mode_id == "default"
            await other.sees(lambda update: update.session_update == "agent_message_chunk" and "one is there" in update.content.text)
            said = await agent.prompt(session_id=number, prompt=[acp.text_block("and now?")])
            assert said.stop_reason == "end_turn" and other.text(number).endswith("the end")

    played(story())


@pytest.mark.parametrize("door", ["pipes", "websocket"])
def test_two_sessions_at_once_and_the_daemon_killed(box, cdev, runs, model, door):
    """Over pipes the same connection goes on; a WebSocket ends, and the session is resumed on another."""
    runs.begin(model(*[lambda body: say("a heron" if "heron" in str(body["messages"]) else "a wren")] * 4))

    async def story():
        person = Person("allow_once")
        async with connected(box, cdev, runs, person, door) as (agent, _):
            await agent.initialize(protocol_version=acp.PROTOCOL_VERSION)
            first, second = [
                (await agent.new_session(cwd=str(box.project), mcp_servers=[])).session_id for _ in range(2)]
            both = await asyncio.gather(*[
                agent.prompt(session_id=number, prompt=[acp.text_block(word)])
                for number, word in ((first, "say heron"), (second, "say wren"))])
            assert [one.stop_reason for one in both] == ["end_turn"] * 2
            assert (person.text(first), person.text(second)) == ("a heron", "a wren")
            await asyncio.to_thread(cdev.kill)
            await asyncio.to_thread(cdev.start)
            if door == "pipes":
                said = await agent.prompt(session_id=second, prompt=[acp.text_block("once more")])
                assert said.stop_reason == "end_turn" and person.text(second) == "a wrena wren"
        other = Person("allow_once")
        async with connected(box, cdev, runs, other, door) as (agent, _):
            await agent.initialize(protocol_version=acp.PROTOCOL_VERSION)
            await agent.resume_session(cwd=str(box.project), session_id=first)
            said = await agent.prompt(session_id=first, prompt=[acp.text_block("once more")])
            assert said.stop_reason == "end_turn" and other.text(first) == "a heron", "nothing of before"

    played(story())


def test_an_error_is_one_of_its_own(box, cdev, runs, model):
    runs.begin(model())

    async def story():
        async with connected(box, cdev, runs, Person("allow_once"), "pipes") as (agent, _):
            await agent.initialize(protocol_version=acp.PROTOCOL_VERSION)
            with pytest.raises(acp.RequestError) as error:
                await agent.prompt(session_id="nobody", prompt=[acp.text_block("x")])
            assert error.value.code == -32002

    played(story())


def test_its_pictures_and_resources_arrive(box, cdev, runs, model):
    answers = model(say("seen"))
    runs.begin(answers)

    async def story():
        person = Person("allow_once")
        async with connected(box, cdev, runs, person, "pipes") as (agent, _):
            await agent.initialize(protocol_version=acp.PROTOCOL_VERSION)
            session = await agent.new_session(cwd=str(box.project), mcp_servers=[])
            said = await agent.prompt(session_id=session.session_id, prompt=[
                acp.text_block("look"), acp.image_block(PICTURE, "image/png"),
                acp.resource_block(acp.embedded_text_resource("file:///a.py", "print('a heron')"))])
            assert said.stop_reason == "end_turn" and person.text(session.session_id) == "seen"

    played(story())
    text = str(answers.requests[-1]["messages"])
    assert "a heron" in text and "'type': 'image'" in text


# One pixel.
PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
