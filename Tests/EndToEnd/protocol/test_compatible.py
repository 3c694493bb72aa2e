"""The endpoints that scripts of the original server post to."""
import pytest

from harness.checks import includes


KINDS = [
    ("session", "SessionStart", "claude_hook_session"), ("notification", "Notification", "claude_hook_permission"),
    ("permission", "Notification", "claude_hook_permission"), ("tool-start", "PreToolUse", "claude_hook_tool_start"),
    ("tool-end", "PostToolUse", "claude_hook_tool_end"), ("something-new", "SomethingNew", None),
]


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize(("kind", "event", "announced"), KINDS)
def test_the_compatible_endpoints_announce(bare, phone, kind, event, announced, named):
    """The path says what happened where the body does not."""
    session = bare.session()
    fields = {"notification_type": "permission_prompt", "message": "m", "source": "startup", "tool_name": "Bash",
              "tool_input": {"command": "ls"}, "tool_use_id": "toolu_c", "tool_response": "x"}
    body = session.payload(event, **fields)
    if not named:
        del body["hook_event_name"]
    assert session.post(f"/api/hooks/{kind}", body) == {"ok": True}
    if announced:
        phone.hear(announced, session_id=session.id)


@pytest.mark.parametrize(("decision", "scope"), [("allow", "once"), ("deny", "once"), ("allow", "session")])
def test_the_compatible_permission_request(phone, session, decision, scope):
    target = "/api/hooks/permission-request"
    held = session.bash("touch a", target=target, request=False)
    phone.respond(phone.card(tool_use_id=held.tool_use_id), decision, scope=scope)
    response = held.response()
    assert f'"decision":"{decision}"' in response.body.decode()
    includes(response.json, scope=scope)
    if scope == "session":
        again = session.bash("touch b", target=target, request=False).response()
        includes(again.json, decision="allow", pattern="Bash(touch:*)", scope="session")


def test_the_compatible_permission_request_passes(phone, session):
    target = "/api/hooks/permission-request"
    for mode in ("bypassPermissions", "plan"):
        assert session.bash("touch a", target=target, request=False, permission_mode=mode).answer() == {}


def test_the_compatible_permission_request_times_out(cdev):
    cdev.start(permission_timeout_seconds=1)
    phone = cdev.approver()
    held = cdev.session().bash("touch a", target="/api/hooks/permission-request", request=False)
    phone.card()
    assert held.answer()["decision"] == "ask"
