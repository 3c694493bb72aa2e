"""What every device that may answer is told of who is let in, and of an agent that tried."""
import pytest
from playwright.sync_api import expect

from harness.waiting import until


def says(screen, *texts):
    for text in texts:
        expect(screen.page.locator(".news")).to_contain_text(text)


def until_held(bare):
    """The id of the only open request."""
    return until(lambda: bare.local.call("permission/pending")["requests"], "a request")[0]["request_id"]


def dismiss(screen):
    screen.page.locator(".news").get_by_role("button", name="Dismiss").click()


def test_a_device_that_comes_and_goes_is_told_and_listed(phone, bare):
    phone.tab("Devices")
    devices = phone.page.locator(".list .item")
    expect(devices).to_have_count(1)
    bare.ok("token", "create", "tablet", "--rights", "view")
    says(phone, "“tablet” was let in.", "It only views.")
    expect(devices).to_have_count(2)
    phone.picture("let-in")
    bare.ok("token", "revoke", "tablet")
    says(phone, "is let in no more", "+1")
    expect(devices).to_have_count(1)
    dismiss(phone)
    says(phone, "was let in")
    dismiss(phone)
    expect(phone.page.locator(".news")).not_to_be_visible()


@pytest.mark.parametrize("rights", ["approve", "view"])
def test_a_denied_call_that_ran_is_an_alarm_to_everybody(screens, bare, session, rights):
    # Somebody has to be there for whom a call is held.
    bare.approver("laptop")
    screen = screens().paired(bare.local.call("token/create", {"name": "phone", "rights": rights})["token"])
    held = session.bash("touch x")
    bare.local.call("permission/respond", {"request_id": until_held(bare), "decision": "deny"})
    assert held.decision() == "deny"
    session.ran(held)
    says(screen, "A denied call ran.", "Claude Code ran a call of Bash", "Denied by somebody at the computer")
    expect(screen.page.locator(".news.grave")).to_be_visible()


def test_a_typed_code_is_told(phone, bare, screens):
    code = bare.local.call("pair/start", {"name": "tablet"})["code"]
    other = screens("tablet").open()
    other.page.get_by_label("Code, link or token").fill(code)
    other.page.get_by_role("button", name="Pair").click()
    says(phone, "“tablet” wants to be let in.", "at 127.0.0.1")
    request = bare.local.call("pair/pending")["requests"][0]["request_id"]
    bare.local.call("pair/approve", {"request_id": request})
    other.online()
    says(phone, "“tablet” was let in.", "It may answer.")
    # Nobody waits any more.
    expect(phone.page.locator(".news .tag")).not_to_be_visible()
    # It is no news to itself.
    expect(other.page.locator(".news")).not_to_be_visible()


def test_a_code_nobody_said_yes_to_is_no_news_for_ever(screens, bare):
    phone = screens()
    phone.page.clock.install()
    phone.paired()
    phone.page.evaluate("""() => cdev.news.take({ method: "event/pairing_requested", params: {
      name: "tablet", address: "10.0.0.7", sequence: 1e9, timestamp: new Date().toISOString(),
      expires_at: new Date(Date.now() + 60e3).toISOString() } })""")
    says(phone, "“tablet” wants to be let in.", "at 10.0.0.7")
    phone.page.clock.run_for(40_000)
    says(phone, "“tablet” wants to be let in.")
    phone.page.clock.run_for(21_000)
    # A minute that passes at once may cut the connection, of which there is news then.
    expect(phone.page.locator(".news", has_text="tablet")).not_to_be_visible()


def test_an_agent_that_tried_to_answer_is_told(phone, bare, session):
    session.bash("touch a")
    request = bare.local.call("permission/pending")["requests"][0]["request_id"]
    bare.run("allow", request, env={"CLAUDECODE": "1"})
    says(phone, "An agent was refused.", "permission/respond")
    phone.card("touch a")
    phone.picture("refused")


def test_an_agent_that_tries_without_end_drowns_nothing_else(phone, bare):
    bare.ok("token", "create", "tablet", "--rights", "view")
    says(phone, "“tablet” was let in.")
    phone.page.evaluate("""async () => {
      for (let pid = 1; pid <= 60; pid += 1)
        await cdev.news.take({ method: "event/agent_refused", params: { method: "config/change", pid, sequence: 1e9 + pid } });
    }""")
    says(phone, "An agent was refused.", "(60)", "Told 60 times", "+1")
    bare.ok("token", "create", "laptop")
    phone.page.evaluate("""() => cdev.news.take({ method: "event/agent_refused",
      params: { method: "config/change", pid: 61, sequence: 2e9 } })""")
    says(phone, "“laptop” was let in.", "+2")
    dismiss(phone)
    says(phone, "(61)", "Told 61 times", "+1")
    dismiss(phone)
    says(phone, "“tablet” was let in.")


def test_what_was_missed_is_told_afterwards_and_once(phone_behind, proxy, bare):
    proxy.cut()
    phone_behind.is_phase("offline")
    bare.ok("token", "create", "tablet")
    proxy.mend()
    phone_behind.tries_now()
    says(phone_behind, "“tablet” was let in.")
    expect(phone_behind.page.locator(".news .tag")).not_to_be_visible()


def test_what_was_under_a_notice_is_not_pressed_with_it(phone, bare, session):
    session.bash("touch a")
    phone.card("touch a")
    bare.ok("token", "create", "tablet")
    says(phone, "tablet")
    assert phone.page.evaluate("""() => {
      const { id } = document.querySelector(".card").dataset;
      const wasReady = cdev.gate.isReady(id);
      document.querySelector(".news button").click();
      return [wasReady, cdev.gate.isReady(id)];
    }""") == [True, False]


def test_no_way_is_offered_where_no_gate_asks(phone, session):
    assert session.bash("touch a", permission_mode="bypassPermissions").decision() == "pass"
    session.tell("PreToolUse", tool_name="Bash", tool_input={"command": "touch b"}, tool_use_id="t",
                 permission_mode="bypassPermissions")
    says(phone, "Nothing is asked in", "in mode bypassPermissions, and neither does cdev")
    expect(phone.page.locator(".news")).not_to_contain_text("can change that")


def test_a_session_that_asks_nothing_is_told_once(phone, bare, session):
    def calls(one, mode):
        assert one.bash("touch a", permission_mode=mode).decision() == "pass"
        one.tell("PreToolUse", tool_name="Bash", tool_input={"command": "touch b"}, tool_use_id="t", permission_mode=mode)

    calls(session, "auto")
    says(phone, "Nothing is asked in", "Claude Code decides by itself in mode auto", "“Sessions” can change that.")
    phone.picture("asks-nothing")
    dismiss(phone)
    calls(session, "auto")
    other = bare.session()
    other.start()
    calls(other, "auto")
    says(phone, "(and in 1 more)")
    dismiss(phone)
    expect(phone.page.locator(".news")).not_to_be_visible()
