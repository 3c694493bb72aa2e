"""Two machines: the hooks of one report to the daemon of the other over TLS, which shows them and decides nothing by them."""
import ssl

import pytest

from harness import tls
from harness.checks import delivered, includes, no_card, refused
from harness.claudiator import App, Hook, report_by_http
from harness.claude import Headless
from harness.daemon import Cdev
from harness.fake_model import say, touch, use
from harness.sandbox import Sandbox
from harness.waiting import until


@pytest.fixture
def here(cdev):
    """The daemon that is reported to."""
    return cdev.start(tls="local-ca")


@pytest.fixture
def there():
    """Another machine: a home, a Claude configuration and a daemon of its own, which holds what Claude asks."""
    box = Sandbox("t")
    cdev = Cdev(box)
    cdev.ok("install", "--gate", "prompt")
    yield cdev.start()
    assert cdev.faults_of_events() == []
    box.close()


def certificate(box, name, der):
    path = box.root / name
    path.write_text(ssl.DER_cert_to_PEM_cert(der))
    return path


def begin(here, there, answers, token, authority=None, name="box-b"):
    """Starts the real client on the other machine, with its own hooks and those that report."""
    report_by_http(there.box, f"https://localhost:{here.port}/claudiator/api/v1/hooks/http", device="b-1", name=name)
    trust = certificate(there.box, "ca.pem", tls.authority(here) if authority is None else authority)
    return Headless(there.box, answers, env={"NODE_EXTRA_CA_CERTS": trust, "CDEV_REPORTS": token})


def test_a_session_of_another_machine_is_shown_and_decides_nothing(here, there, model):
    desk, phone = here.approver("desk"), there.approver("phone")
    own = here.session()
    own.start()
    held = own.bash("touch x")
    desk.respond(desk.card(tool_use_id=held.tool_use_id), "allow", scope="session")
    assert held.decision() == "allow"
    rules = here.local.call("permission/rules")
    assert rules["count"] == 1
    waiting = own.bash("rm y")
    card = desk.card(tool_use_id=waiting.tool_use_id)

    token = here.token("box-b")
    app = App(here.tcp, token)
    call = touch("x")
    run = begin(here, there, model(use(call), say("done")), token)
    # It waits there, under a request of that machine alone.
    elsewhere = phone.card(tool_use_id=call.id)
    state = lambda: {row["session_id"]: row["status"] for row in app.list("sessions")}.get(run.session_id)  # noqa: E731
    until(lambda: state() == "waiting_for_permission", state)
    includes(next(row for row in app.list("sessions") if row["session_id"] == run.session_id), device_id="b-1",
             device_name="box-b", platform="linux", title="go", cwd=str(there.box.project))
    assert "box-b" in {row["device_name"] for row in app.list("devices")}
    [shown] = here.local.call("session/elsewhere")["sessions"]
    includes(shown, session_id=run.session_id, machine="box-b", machine_id="b-1", status="waiting_for_permission")
    listed = {row["session_id"]: row.get("machine") for row in here.json("sessions")["sessions"]}
    assert listed == {own.id: None, run.session_id: "box-b"}
    assert "waiting there" in next(line for line in here.ok("sessions").splitlines() if "box-b" in line)

    # Nothing of it can be answered, taken over or driven here.
    assert [row["request_id"] for row in desk.pending()] == [card["request_id"]]
    no_card(desk, tool_use_id=call.id)
    for decision in "allow", "deny":
        refused(desk, "permission/respond", {"request_id": elsewhere["request_id"], "decision": decision}, -32603)
        refused(desk, "permission/respond", {"tool_use_id": call.id, "decision": decision}, -32602)
    for method, params in ("session/stop", {}), ("session/info", {}), ("session/send", {"prompt": "go"}):
        refused(here.local, method, {"session_id": run.session_id, **params}, -32602)
    known = here.local.call("hook/sessions")["sessions"]
    assert [row["session_id"] for row in known] == [own.id]
    assert here.history(run.session_id) == []
    # The rule of this machine's session covers the same line; it did not settle it, nor was it used.
    assert here.local.call("permission/rules") == rules

    phone.respond(elsewhere, "allow")
    delivered(run)
    assert (there.box.project / "x").exists()
    until(lambda: state() == "ended", state)
    assert here.local.call("session/elsewhere")["sessions"] == []
    events = [row["hook_event_name"] for row in app.list("events", f"/sessions/{run.session_id}/events")][::-1]
    assert events[:3] == ["UserPromptSubmit", "PreToolUse", "PermissionRequest"], events
    assert events[3:] == ["PostToolUse", "Stop", "SessionEnd"], events
    assert here.local.call("permission/rules") == rules
    desk.respond(card, "deny")
    assert waiting.decision() == "deny"


def test_it_names_this_machines_session_and_request(here, there):
    """Whatever a report says, it is no hook: what is held stays held, and what asks like a hook is unverified."""
    desk = here.approver("desk")
    own = here.session()
    own.start()
    first = own.bash("touch x")
    desk.respond(desk.card(tool_use_id=first.tool_use_id), "allow", scope="session")
    rules, held = here.local.call("permission/rules"), own.bash("rm y")
    card = desk.card(tool_use_id=held.tool_use_id)
    trust = tls.trusting(tls.authority(here))
    hook = Hook(here.tcp, here.token("box-b"), device="b-1", name="box-b", trust=trust)
    for event in "PermissionRequest", "PostToolUse", "Stop", "SessionEnd":
        hook.sent(event, session=own.id, tool_name="Bash", message="touch x")
    assert [row["request_id"] for row in desk.pending()] == [card["request_id"]]
    # A hook of that machine that comes without a token to where hooks ask.
    asking = own.payload("PreToolUse", tool_name="Bash", tool_input={"command": "touch x"}, tool_use_id="toolu_b")
    with tls.Secure(here.tcp, trust) as connection:
        connection.request("POST", "/hooks/claude", asking)
        made = includes(desk.card(tool_use_id="toolu_b"), unverified=True)
        assert here.local.call("permission/rules") == rules
        desk.respond(made, "deny")
        assert connection.response().json["hookSpecificOutput"]["permissionDecision"] == "deny"
    desk.respond(card, "allow")
    assert held.decision() == "allow"
    assert here.local.call("hook/sessions")["sessions"][0]["state"] != "ended"


def test_it_names_another_machine(here):
    """A machine and a session are those of the token that reported them first, until it is revoked."""
    app, first, second = (App(here.tcp, here.token(name)) for name in ("app", "first", "second"))
    own = here.session()
    own.start()
    until(lambda: app.list("sessions"), "this machine to be listed")
    Hook(here.tcp, first.token, device="b-1").sent("SessionStart", session="there")
    machines, sessions = app.list("devices"), app.list("sessions")
    this = next(row["device_id"] for row in machines if row["device_id"] != "b-1")
    for device, session, named in (this, "new", "device_id"), ("b-1", "new", "device_id"), ("c-1", "there", "session_id"):
        answer = Hook(here.tcp, second.token, device=device, name="made up").send("Stop", session=session, cwd="/made/up")
        assert answer.status == 403 and answer.json["message"].startswith(named), answer
    assert app.list("devices") == machines and app.list("sessions") == sessions
    here.local.call("token/revoke", {"name": "first"})
    Hook(here.tcp, second.token, device="b-1", name="with a new token").sent("SessionEnd", session="there")
    [row] = [row for row in app.list("sessions") if row["session_id"] == "there"]
    includes(row, status="ended", device_name="with a new token")


@pytest.mark.parametrize("fault", ["another authority", "revoked", "nobody there"])
def test_the_other_machine_goes_on_where_its_reports_are_refused(here, there, model, fault):
    token, app = here.token("box-b"), App(here.tcp, here.token("app"))
    if fault == "revoked":
        here.local.call("token/revoke", {"name": "box-b"})
    there.stop()
    there.start(tls="local-ca")
    phone, call = there.approver("phone"), touch("x")
    if fault == "nobody there":
        authority = tls.authority(here)
        here.stop()
    else:
        authority = tls.authority(there if fault == "another authority" else here)
    run = begin(here, there, model(use(call), say("done")), token, authority)
    phone.respond(phone.card(tool_use_id=call.id), "allow")
    delivered(run)
    assert (there.box.project / "x").exists()
    if fault == "nobody there":
        here.start()
    assert app.list("devices") == app.list("sessions") == app.list("notifications") == []
    assert here.local.call("session/elsewhere")["sessions"] == []


def test_a_report_over_tls_is_refused_without_trust_or_token(here, there):
    there.stop()
    there.start(tls="local-ca")
    token, trust = here.token("box-b"), tls.trusting(tls.authority(here))
    with pytest.raises(ssl.SSLCertVerificationError):
        Hook(here.tcp, token, trust=tls.trusting(tls.authority(there))).send("Stop")
    Hook(here.tcp, token, trust=trust).sent("SessionStart")
    here.local.call("token/revoke", {"name": "box-b"})
    assert Hook(here.tcp, token, trust=trust).send("SessionEnd").status == 401
    [left] = App(here.tcp, here.token("app")).list("sessions")
    assert left["status"] == "active"
