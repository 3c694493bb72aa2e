"""What the page shows beside the requests, and what can be done there: sessions, history, rules, devices."""
import json
import re

import pytest
from playwright.sync_api import expect

from test_push import Browser, decode


def item(screen, text):
    return screen.page.locator("main .item").filter(has_text=text)


def allowed(bare, held):
    bare.local.call("permission/respond", {"tool_use_id": held.tool_use_id, "decision": "allow"})
    assert held.decision() == "allow"
    return held


def test_a_session_is_followed_through_its_life(phone, bare, session):
    phone.tab("Sessions")
    here = item(phone, session.id[:8])
    expect(here).to_contain_text("Active")
    expect(here.locator(".named")).to_contain_text("proj")
    held = session.bash("touch a")
    expect(here).to_contain_text("Waiting for an answer · 1 request open")
    allowed(bare, held)
    expect(here).to_contain_text("Running Bash")
    here.locator("summary").click()
    expect(here.locator(".timeline li")).to_have_text(re.compile(r"Bash\s*touch a\s*running"))
    session.ran(held)
    expect(here.locator(".head")).to_contain_text("Active")
    other = allowed(bare, session.bash("touch b", agent_id="a1", agent_type="reviewer"))
    session.ran(other, event="PostToolUseFailure")
    # The latest stands first, and the list stays open while it is made anew.
    lasted = r"(< 1 s|\d+ s)"
    expect(here.locator(".timeline li")).to_have_text([
        re.compile(rf"Bash\s*subagent\s*touch b\s*failed · {lasted}"), re.compile(rf"Bash\s*touch a\s*done · {lasted}")])
    session.tell("SessionEnd", reason="other")
    expect(phone.page.get_by_role("heading", name="No sessions")).to_be_visible()


@pytest.fixture
def decided(phone, bare, session):
    """One call by hand for the session, one by the rule that made, and one denied at the computer."""
    held = session.bash("touch a")
    phone.answer("touch a", "Allow for session")
    assert held.decision() == "allow"
    assert session.bash("touch b").decision() == "allow"
    held = session.bash("mkdir c")
    bare.local.call("permission/respond", {"tool_use_id": held.tool_use_id, "decision": "deny", "message": "not today"})
    assert held.decision() == "deny"
    phone.tab("History")
    expect(phone.page.locator("main .item")).to_have_count(3)


def test_the_history_says_who_decided_by_hand_or_by_rule(phone, decided):
    for command, how in (("touch a", "Allowed for the session by phone · proj · Bash"), ("touch b", "Allowed for the session by a session rule · proj · Bash"),
                         ("mkdir c", "Denied by somebody at the computer · proj · Bash")):
        expect(item(phone, command).locator(".line")).to_have_text(re.compile("^" + re.escape(how) + r" · \d\d:\d\d( [AP]M)?$"))
    first = phone.page.locator("main .item").first.locator(".main")
    expect(first.locator(":scope > :first-child")).to_have_text("mkdir c")
    expect(phone.page.locator("main .day")).to_have_text(["Today"])
    item(phone, "mkdir c").locator("summary").click()
    expect(item(phone, "mkdir c")).to_contain_text("Told to Claude: not today")
    expect(item(phone, "mkdir c").locator(".body .code")).to_have_text("mkdir c")


def test_the_history_is_searched(phone, decided):
    found = phone.page.locator("main .item code.target")
    search = phone.page.get_by_role("searchbox", name="Search the history")
    search.fill("mkdir")
    expect(found).to_have_text(["mkdir c"])
    search.fill("by phone")
    expect(found).to_have_text(["touch b", "touch a"])
    search.fill("no such words")
    expect(phone.page.get_by_role("heading", name="Nothing found")).to_be_visible()
    search.fill("")
    kinds = phone.page.get_by_role("group", name="Decision")
    for name, wanted in (("Allowed", ["touch b", "touch a"]), ("Denied", ["mkdir c"]), ("All", ["mkdir c", "touch b", "touch a"])):
        kinds.get_by_role("button", name=name, exact=True).click()
        expect(kinds.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-pressed", "true")
        expect(found).to_have_text(wanted)


def test_the_history_goes_on_where_one_page_ends(phone, session, decided):
    for number in range(50):
        assert session.bash(f"touch n{number}").decision() == "allow"
    phone.tab("Rules")
    phone.tab("History")
    expect(phone.page.locator("main .item")).to_have_count(50)
    phone.page.get_by_role("button", name="Older").click()
    expect(phone.page.locator("main .item")).to_have_count(53)
    expect(phone.page.locator("main .item").last).to_contain_text("touch a")
    expect(phone.page.get_by_role("button", name="Older")).to_have_count(0)


def test_a_rule_is_revoked_after_a_second_press(phone, bare, session):
    held = session.bash("touch a")
    phone.answer("touch a", "Allow for session")
    assert held.decision() == "allow"
    phone.tab("Rules")
    rule = item(phone, "Bash(touch:*)")
    expect(rule).to_contain_text("Allowed by phone")
    rule.get_by_role("button", name="Revoke Bash(touch:*)").click()
    assert bare.local.call("permission/rules")["count"] == 1
    rule.get_by_role("button", name="Revoke it? Bash(touch:*)").click()
    expect(phone.page.get_by_role("heading", name="No rules")).to_be_visible()
    assert bare.local.call("permission/rules")["count"] == 0
    again = session.bash("touch b")
    phone.tab("Requests")
    phone.answer("touch b", "Deny")
    assert again.decision() == "deny"


def test_the_devices_say_when_they_were_here_and_what_they_may(phone, bare):
    bare.ok("token", "create", "tablet", "--rights", "view")
    phone.tab("Devices")
    expect(item(phone, "tablet")).to_contain_text(re.compile("token · views only · never seen · added .* · does not expire"))
    expect(phone.page.locator(".list .item").filter(has_text="this one")).to_contain_text("answers · connected")


# A push service that is not there, and all of the browser's part besides.
PUSH = """(subscription) => {
  let kept = null;
  const made = { toJSON: () => subscription, unsubscribe: async () => { kept = null; } };
  const pushManager = {
    getSubscription: async () => kept,
    subscribe: async (options) => { window.asked = options; kept = made; return made; },
  };
  navigator.serviceWorker.getRegistration = async () => ({ pushManager });
  Object.defineProperty(navigator.serviceWorker, "ready", { configurable: true, get: () => Promise.resolve({ pushManager }) });
  let permission = "default";
  Object.defineProperty(Notification, "permission", { configurable: true, get: () => permission });
  Notification.requestPermission = async () => (permission = "granted");
}"""


def test_notifications_are_turned_on_and_off_by_a_press(phone, bare):
    phone.page.evaluate(PUSH, Browser().subscription)
    phone.tab("Devices")
    phone.page.get_by_role("button", name="Turn on notifications").click()
    expect(item(phone, "Notifications")).to_contain_text("On: a request reaches this device while the page is closed.")
    (channel,) = bare.local.call("status/get")["notify"]
    assert (channel["channel"], channel["reachable"]) == ("push phone", True)
    asked = phone.page.evaluate("() => window.asked")
    assert asked["userVisibleOnly"] is True and len(decode(asked["applicationServerKey"])) == 65
    phone.page.get_by_role("button", name="Turn off notifications").click()
    expect(item(phone, "Notifications").locator(".line")).to_have_text("Off")
    assert bare.local.call("status/get")["notify"] == []


@pytest.mark.parametrize("step", ["worker", "service"])
def test_a_push_service_that_does_not_answer_is_waited_for_fifteen_seconds(screens, bare, step):
    phone = screens()
    phone.page.clock.install()
    phone.paired()
    phone.page.evaluate(PUSH, Browser().subscription)
    phone.page.evaluate("""step => {
      Object.defineProperty(Notification, "permission", { get: () => "granted" });
      const never = new Promise(() => {});
      if (step === "worker") Object.defineProperty(navigator.serviceWorker, "ready", { get: () => never });
      else navigator.serviceWorker.ready.then(({ pushManager }) => { pushManager.subscribe = () => never; });
    }""", step)
    phone.tab("Devices")
    row = item(phone, "Notifications")
    phone.page.get_by_role("button", name="Turn on notifications").click()
    expect(row).to_contain_text({"worker": "Starting the page’s worker…", "service": "Asking the browser’s push service…"}[step])
    expect(row.get_by_role("button")).to_be_disabled()
    phone.page.clock.run_for(15_100)
    expect(row).to_contain_text("did not answer within 15 s. Try again")
    expect(row.get_by_role("button")).to_be_enabled()


def test_who_has_just_paired_is_offered_notifications(screens, bare):
    phone = screens()
    phone.page.add_init_script(f"({PUSH})({json.dumps(Browser().subscription)})")
    phone.paired()
    phone.page.get_by_role("button", name="Turn on notifications").click()
    expect(item(phone, "Notifications")).to_contain_text("On: a request reaches this device")


# The gate of one session

GATED = """(session) => {
  cdev.features.methods.set("session/gate", new Set(["session_id", "gate"]));
  const call = cdev.link.call.bind(cdev.link);
  cdev.link.call = async (method, params, ...more) => {
    if (method === "session/gate") {
      window.given = params;
      if (params.gate === "prompt") throw new Error("this agent has no such gate");
      Object.assign(session, { gate: params.gate ?? "auto", gate_own: params.gate !== null });
      return { success: true };
    }
    const answer = await call(method, params, ...more);
    if (method === "hook/sessions") answer.sessions = answer.sessions.map((one) => ({ ...one, ...session }));
    return answer;
  };
}"""


def test_a_session_has_a_gate_of_its_own(phone, session):
    phone.page.evaluate(GATED, {"gate": "auto", "gate_own": False, "permission_mode": "auto", "title": "Fix the build", "last_prompt": "make it work",
                                "mode_note": "Claude decides by itself and asks nothing"})
    phone.tab("Sessions")
    here = item(phone, session.id[:8])
    expect(here.locator(".titled")).to_have_text("Fix the build")
    expect(here.locator(".head .tag")).to_have_text("auto")
    here.locator("summary").click()
    expect(here).to_contain_text("You asked: make it work")
    gate = here.get_by_role("group", name="What is asked about in proj")
    expect(gate).to_contain_text("As configured (auto)")
    gate.get_by_role("button", name="Ask me about everything").click()
    expect(gate.get_by_role("button", name="Ask me about everything")).to_have_attribute("aria-pressed", "true")
    assert phone.page.evaluate("() => window.given") == {"session_id": session.id, "gate": "always"}
    gate.get_by_role("button", name="Beside Claude’s dialog").click()
    expect(gate).to_contain_text("Not changed: this agent has no such gate.")
    gate.get_by_role("button", name="As configured").click()
    expect(gate.get_by_role("button", name="As configured")).to_have_attribute("aria-pressed", "true")
    assert phone.page.evaluate("() => window.given.gate") is None


def test_a_daemon_that_knows_no_gate_of_a_session_shows_none(phone, session):
    phone.page.evaluate("() => cdev.features.methods.delete('session/gate')")
    phone.tab("Sessions")
    item(phone, session.id[:8]).locator("summary").click()
    expect(item(phone, session.id[:8]).locator(".gate")).to_have_count(0)


# On the home screen

def test_what_is_installed_stays_paired(phone):
    phone.page.evaluate("""() => {
      const event = new Event("beforeinstallprompt", { cancelable: true });
      event.prompt = () => { window.prompted = true; };
      dispatchEvent(event);
    }""")
    phone.tab("Devices")
    phone.page.get_by_text("Install on the home screen").click()
    expect(phone.page.locator(".install")).to_contain_text("Nothing has to be paired again.")
    phone.page.get_by_role("button", name="Install", exact=True).click()
    assert phone.page.evaluate("() => window.prompted") is True


IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"


def test_on_an_iphone_a_link_pairs_once_and_where_the_person_says(screens, bare):
    offer = bare.local.call("pair/start", {})
    phone = screens("iphone", user_agent=IPHONE)
    phone.page.goto(offer["url"].replace("localhost", "127.0.0.1"))
    expect(phone.page.locator(".offer .steps li")).to_have_text([re.compile("Add to Home Screen"), re.compile("type the code")])
    assert bare.local.call("device/list")["devices"] == [], "the link is still good"
    phone.page.get_by_role("button", name="Pair Safari instead").click()
    phone.online()
    phone.tab("Devices")
    phone.page.get_by_text("Install on the home screen").click()
    expect(phone.page.locator(".install .steps li")).to_have_text([
        re.compile("run cdev pair and leave its code"), re.compile("Add to Home Screen"), re.compile("type that code"), re.compile("Sign out here")])


def test_a_browser_finds_nothing_that_keeps_it_from_installing(phone):
    phone.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    devtools = phone.context.new_cdp_session(phone.page)
    manifest = devtools.send("Page.getAppManifest")
    assert manifest["url"] == phone.base + "/manifest.webmanifest" and manifest["errors"] == []
    errors = {error["errorId"] for error in devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    # Each browser of the tests has a profile that is thrown away, into which Chromium installs nothing.
    assert errors <= {"in-incognito"}
