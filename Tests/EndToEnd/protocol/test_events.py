"""Every event and what it tells, each kind of card, and the replay of what was missed."""
import json
import re
import uuid

import pytest

from harness.checks import WHOLE_SECONDS, includes, refused
from harness.waiting import until


def test_every_event_has_the_same_envelope(bare, phone, session):
    # The session's first events come before the workspace that it makes.
    workspace = phone.hear("workspace_added", path=session.cwd)["id"]
    held = session.bash("touch a")
    card = phone.card(tool_use_id=held.tool_use_id)
    phone.respond(card, "allow")
    held.answer()
    session.ran(held)
    session.tell("UserPromptSubmit", prompt="and now", prompt_id=str(uuid.uuid4()))
    session.tell("Notification", message="Claude needs your permission", notification_type="permission_prompt")
    session.tell("Stop", stop_hook_active=False, last_assistant_message="bye", background_tasks=[], session_crons=[])
    session.tell("SessionEnd", reason="prompt_input_exit")
    kinds = [
        "claude_hook_session", "claude_hook_tool_start", "pty_permission", "pty_permission_resolved",
        "claude_hook_tool_end", "claude_hook_prompt", "claude_hook_permission", "claude_hook_stop",
        "claude_hook_session_end",
    ]
    for kind in kinds:
        params = includes(phone.hear(kind), session_id=session.id)
        assert params["workspace_id"] == workspace or kind == "claude_hook_session" and params["workspace_id"] == ""
        assert WHOLE_SECONDS.fullmatch(params["timestamp"]), kind
        assert isinstance(params["sequence"], int), kind
    sequences = [event["params"]["sequence"] for event in phone.events if "sequence" in event["params"]]
    assert sequences == sorted(set(sequences))
    assert all(event["jsonrpc"] == "2.0" and "id" not in event for event in phone.events)


def test_a_session_says_when_its_turn_has_ended(bare, phone, session):
    def turn():
        (known,) = [each for each in phone.call("hook/sessions")["sessions"] if each["session_id"] == session.id]
        return known["turn_ended"], known["last_prompt"], known["last_words"]

    assert turn() == (False, None, None)
    session.tell("UserPromptSubmit", prompt="mend it", prompt_id=str(uuid.uuid4()))
    session.tell("SubagentStop", agent_id="a", last_assistant_message="of a subagent")
    assert turn() == (False, "mend it", None)
    session.tell("Stop", stop_hook_active=False, last_assistant_message=" I looked.\n\nIt is mended.\n")
    assert turn() == (True, "mend it", "I looked.\n\nIt is mended.")
    session.tell("UserPromptSubmit", prompt="and the roof", prompt_id=str(uuid.uuid4()))
    assert turn()[:2] == (False, "and the roof")


def test_what_each_event_tells(bare, phone, session):
    includes(phone.hear("claude_hook_session"), cwd=session.cwd, tool="claude_code", source="hook")
    held = session.bash("touch a")
    includes(phone.hear("claude_hook_tool_start", tool_use_id=held.tool_use_id), tool_name="Bash",
             tool_input=held.payload["tool_input"], cwd=session.cwd, permission_mode="default",
             transcript_path=held.payload["transcript_path"], hook_event_name="PreToolUse")
    phone.respond(phone.card(tool_use_id=held.tool_use_id), "allow")
    held.answer()
    response = {"stdout": "made", "stderr": "", "interrupted": False}
    session.ran(held, response)
    includes(phone.hear("claude_hook_tool_end", tool_use_id=held.tool_use_id), tool_name="Bash", tool_result=response,
             hook_event_name="PostToolUse")
    session.tell("Notification", message="waiting", notification_type="idle_prompt")
    session.tell("Notification", message="Claude needs your permission", notification_type="permission_prompt")
    includes(phone.hear("claude_hook_permission"), message="Claude needs your permission",
             notification_type="permission_prompt", cwd=session.cwd)
    session.tell("UserPromptSubmit", prompt="and now")
    includes(phone.hear("claude_hook_prompt"), prompt="and now")
    session.tell("SessionEnd", reason="clear")
    includes(phone.hear("claude_hook_session_end"), reason="clear")
    phone.settle()
    assert len(phone.heard("claude_hook_permission")) == 1


CARDS = [
    ("Bash", {"command": "touch a", "description": "make a"}, "bash_command", "touch a"),
    ("Write", {"file_path": "PROJECT/a.txt", "content": "one\ntwo\n"}, "file_write", "PROJECT/a.txt"),
    ("Edit", {"file_path": "PROJECT/a.txt", "old_string": "one", "new_string": "two"}, "file_edit", "PROJECT/a.txt"),
    ("mcp__lab__echo", {"text": "x"}, "mcp_tool", None),
    ("WebFetch", {"url": "https://example.org/", "prompt": "read"}, "tool_use", None),
]


@pytest.mark.parametrize(("tool", "tool_input", "kind", "target"), CARDS, ids=[case[0] for case in CARDS])
def test_a_card_of_each_kind(box, phone, session, tool, tool_input, kind, target):
    fill = lambda value: json.loads(json.dumps(value).replace("PROJECT", str(box.project)))  # noqa: E731
    held = session.call(tool, fill(tool_input))
    card = includes(phone.card(tool_use_id=held.tool_use_id), type=kind, tool_name=tool, tool_input=fill(tool_input),
                    cwd=session.cwd, terminal_prompt=False, permission_mode="default", opening=1)
    if target:
        assert card["target"] == fill(target)
    for field in ("description", "preview", "patterns", "options", "created_at", "deadline"):
        assert field in card
    for option in card["options"]:
        assert option["key"] in ("allow_once", "allow_session", "deny") and option["label"]
    phone.respond(card, "deny")
    assert held.decision() == "deny"


def test_a_read_outside_is_a_card_of_its_kind(phone, session):
    held = session.call("Read", {"file_path": "/etc/hostname"}, event="PermissionRequest")
    card = includes(phone.card(tool_name="Read"), type="file_read", target="/etc/hostname", terminal_prompt=True)
    phone.respond(card, "allow")
    assert held.decision() == "allow"


def test_hidden_characters_are_shown(phone, session):
    held = session.bash("touch a\u202e\u200bb")
    card = phone.card(tool_use_id=held.tool_use_id)
    assert card["hidden_characters"]
    for text in (card["target"], card["description"]):
        assert not re.search("[\u200b\u202e\x00-\x08]", text)
    assert card["tool_input"]["command"] == "touch a\u202e\u200bb"
    phone.respond(card, "deny")


def test_a_huge_input_is_cut_for_the_phone_and_whole_on_request(bare, phone, session):
    content = "é€😀x" * 200_000
    held = session.call("Write", {"file_path": f"{session.cwd}/big.txt", "content": content})
    card = phone.card(tool_use_id=held.tool_use_id)
    cut = card["tool_input"]["content"]
    assert len(json.dumps(card, ensure_ascii=False).encode()) < 1 << 20
    assert content.startswith(cut.rstrip("…")[:1000]) and "\ufffd" not in cut
    assert len(card["truncated"]) == 1
    assert list(card["truncated"].values())[0] in (len(content), len(content.encode()))
    whole = bare.local.call("permission/pending", {"request_id": card["request_id"]})["requests"][0]
    assert whole["tool_input"]["content"] == content
    phone.respond(card, "deny")
    assert held.decision() == "deny"


def test_every_start_has_one_end(phone, session):
    calls = {name: session.bash(f"touch {name}") for name in ("ran", "failed", "denied", "left", "forgotten")}
    for name, held in calls.items():
        phone.respond(phone.card(tool_use_id=held.tool_use_id), "deny" if name == "denied" else "allow")
        held.answer()
    session.ran(calls["ran"])
    session.ran(calls["failed"], event="PostToolUseFailure")
    batch = [{"tool_name": "Bash", "tool_input": calls[name].payload["tool_input"],
              "tool_use_id": calls[name].tool_use_id, "tool_response": "x"} for name in ("ran", "failed", "denied")]
    session.tell("PostToolBatch", tool_calls=batch)
    includes(phone.hear("claude_hook_tool_end", tool_use_id=calls["denied"].tool_use_id), is_error=True, tool_result=None)
    session.tell("Stop", stop_hook_active=False, last_assistant_message="", background_tasks=[], session_crons=[])
    includes(phone.hear("claude_hook_tool_end", tool_use_id=calls["left"].tool_use_id), is_error=True, tool_result=None)
    session.tell("SessionEnd", reason="other")
    phone.settle()
    for held in calls.values():
        assert len(phone.heard("claude_hook_tool_start", tool_use_id=held.tool_use_id)) == 1
        assert len(phone.heard("claude_hook_tool_end", tool_use_id=held.tool_use_id)) == 1


@pytest.mark.long
def test_a_heartbeat_each_half_minute(phone):
    beat = phone.hear("heartbeat", timeout=35)
    assert "sequence" not in beat


def test_events_are_replayed(bare, phone, session):
    token = bare.token("late")
    phone.hear("device_paired", name="late")
    for name in "abc":
        held = session.bash(f"touch {name}")
        phone.respond(phone.card(tool_use_id=held.tool_use_id), "deny")
        held.answer()
    phone.settle()
    live = [event for event in phone.events if "sequence" in event["params"]]
    first = live[0]["params"]["sequence"]
    late = bare.approver("late", token)
    replay = until(lambda: _replay(late, first, len(live)), "all events to be replayed")
    assert replay["events"] == live
    assert replay["gap"] is False
    page = late.call("events/since", {"sequence": first, "limit": 2})
    assert page["events"] == live[:2]
    rest = late.call("events/since", {"sequence": page["next_sequence"], "limit": 1000})
    assert rest["events"] == live[2:]
    assert late.call("events/since", {"sequence": rest["next_sequence"], "limit": 10})["events"] == []
    refused(late, "events/since", {"sequence": "first"}, -32602)


def _replay(phone, first, count):
    found = phone.call("events/since", {"sequence": first, "limit": 1000})
    return found if len(found["events"]) >= count else None
