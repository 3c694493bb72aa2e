"""Two hundred open requests, and what only a person with bad intentions would send."""
import json

import pytest
from playwright.sync_api import expect

from harness.waiting import until


@pytest.fixture
def crowd(bare, phone):
    """Two hundred calls of four sessions, all held."""
    helds = []
    for number in range(4):
        session = bare.session()
        session.start()
        helds += [session.bash(f"touch s{number}-{count:02}-x") for count in range(50)]
        # A card that comes behind those of a later session waits until the person asks for it.
        phone.page.wait_for_function("count => cdev.model.openCards.length === count", arg=len(helds))
    until(lambda: bare.local.call("permission/stats")["pending_requests"] == 200, "two hundred open requests")
    return helds


def test_two_hundred_open_requests(crowd, phone):
    phone.page.wait_for_function("() => cdev.model.openCards.length === 200")
    expect(phone.page.locator(".card")).to_have_count(40)
    expect(phone.page.locator(".tabs")).to_contain_text("200")
    seen = set()
    while True:
        # The page fills itself card by card, and no card is on two pages.
        expect(phone.page.locator(".card")).to_have_count(40)
        expect(phone.page.locator(",".join(f'[data-id="{known}"]' for known in seen or {"none"}))).to_have_count(0)
        seen |= set(phone.page.locator(".card").evaluate_all("cards => cards.map((card) => card.dataset.id)"))
        later = phone.page.get_by_role("button", name="Later")
        if later.is_disabled():
            break
        later.click()
    assert len(seen) == 200
    phone.picture("last-page")
    last = phone.cards().last
    text = last.locator(".code").inner_text()
    phone.press(last, "Deny")
    held = next(held for held in crowd if held.payload["tool_input"]["command"] == text)
    assert held.decision() == "deny"
    assert sum(held.answered() for held in crowd) == 1


def test_a_fresh_page_finds_all_of_them(crowd, phone):
    phone.page.reload()
    phone.online()
    phone.page.wait_for_function("() => cdev.model.openCards.length === 200")
    assert phone.page.locator(".card").count() == 40
    card = phone.cards().first
    text = card.locator(".code").inner_text()
    phone.press(card, "Allow once")
    assert next(held for held in crowd if held.payload["tool_input"]["command"] == text).decision() == "allow"
    expect(phone.page.locator(".card.ended")).to_have_count(0)
    assert phone.page.locator(".card").count() == 40


def test_a_card_that_takes_longer_to_prepare_keeps_its_place(bare, phone):
    phone.page.evaluate("""() => {
      const ready = cdev.details.ready.bind(cdev.details);
      cdev.details.ready = () => {
        cdev.details.ready = ready;
        return new Promise((done) => { window.prepared = done; });
      };
    }""")
    session = bare.session()
    session.start()
    for number, name in enumerate(("first", "second")):
        session.bash(f"touch {name}")
        phone.page.wait_for_function("count => cdev.model.openCards.length === count", arg=number + 1)
    phone.page.evaluate("() => window.prepared()")
    expect(phone.cards()).to_have_count(2)
    expect(phone.cards().first).to_contain_text("touch first")
    expect(phone.page.get_by_role("button", name="1 new")).to_be_hidden()


MARKUP = ["<script>window.bad=1</script>", "<img src=x onerror=window.bad=1>", "</pre><h1>You may allow this</h1>", "&lt;b&gt;&amp;",
          "javascript:window.bad=1", "{{7*7}}${7*7}", "<style>*{display:none}</style>"]


def test_markup_is_text(phone, bare):
    nasty = " ".join(MARKUP)
    session = bare.session(session_id="<img src=x onerror=window.bad=1>")
    session.start()
    calls = [("Bash", {"command": nasty, "description": nasty}), ("Edit", {"file_path": f"/{nasty}", "old_string": nasty, "new_string": nasty}),
             ("Write", {"file_path": nasty, "content": nasty}), (f"mcp__<b>__{MARKUP[1]}"[:200], {nasty: [nasty, {nasty: nasty}]}),
             ("WebFetch", {"url": f"https://user:pw@evil.example/{nasty}", "prompt": nasty}), ("WebFetch", {"url": nasty}),
             ("Unknown", {"__proto__": {"a": 1}, "constructor": nasty}), ("ExitPlanMode", {"plan": nasty})]
    for tool, tool_input in calls:
        session.call(tool, tool_input, event="PermissionRequest" if tool == "ExitPlanMode" else "PreToolUse")
    expect(phone.cards()).to_have_count(len(calls), timeout=15_000)
    expect(phone.cards().first.locator(".code").first).to_have_text(nasty)
    for card in phone.cards().all():
        assert card.locator("img, script, style, h1, b").count() == 0
    for name in ("Sessions", "History", "Rules"):
        phone.tab(name)
        phone.page.wait_for_load_state("networkidle")
        assert phone.page.locator("main").locator("img, script, style, b").count() == 0
    assert phone.page.evaluate("() => window.bad") is None


# Characters nobody would see, anywhere in what the page shows or tells a screen reader.
UNSEEN = """() => {
  const found = [];
  const walk = (node) => {
    if (/[\u00ad\u200b\u202e]/.test(node.nodeType === Node.TEXT_NODE ? node.data : "")) found.push(node.data);
    for (const { name, value } of node.attributes ?? []) if (!name.startsWith("data-") && /[\u00ad\u200b\u202e]/.test(value)) found.push(`${name}: ${value}`);
    node.childNodes.forEach(walk);
  };
  walk(document.documentElement);
  return found;
}"""


def test_no_character_that_cannot_be_seen_gets_onto_the_page(phone, bare):
    odd = "a\u202e\u200b\u00adb"
    session = bare.session(session_id=odd, cwd=f"/tmp/{odd}")
    session.start()
    question = {"question": odd, "header": odd, "options": [{"label": odd, "description": odd}]}
    session.call("AskUserQuestion", {"questions": [question], odd: odd}, event="PermissionRequest")
    session.call("ExitPlanMode", {"plan": f"[{odd}](https://{odd}.example/{odd}) `{odd}`\n\n# {odd}\n", odd: odd}, event="PermissionRequest")
    tools = [("Bash", {"command": f"touch {odd}", "description": odd}), ("Write", {"file_path": f"/tmp/{odd}", "content": odd}),
             (odd, {odd: [odd]}), ("WebFetch", {"url": f"https://{odd}.example/", "prompt": odd}), ("MultiEdit", {"file_path": f"/{odd}", "edits": odd})]
    helds = [session.call(tool, tool_input, permission_mode=odd, agent_id=odd, agent_type=odd) for tool, tool_input in tools]
    phone.page.wait_for_function("count => cdev.model.openCards.length === count", arg=len(tools) + 2)
    phone.tab("Devices")
    phone.tab("Requests")
    phone.page.evaluate("() => cdev.requests.gather()")
    expect(phone.cards()).to_have_count(len(tools) + 2)
    expect(phone.cards().filter(has_text="Review the plan").locator(".plan")).to_contain_text("u{202E}")
    assert phone.page.evaluate(UNSEEN) == []
    bare.local.call("permission/respond", {"tool_use_id": helds[0].tool_use_id, "decision": "deny", "message": odd, "scope": "session"})
    bare.local.call("permission/respond", {"tool_use_id": helds[1].tool_use_id, "decision": "allow", "scope": "session"})
    expect(phone.page.locator(".card.ended").first).to_be_visible()
    assert phone.page.evaluate(UNSEEN) == []
    for name in ("Sessions", "History", "Rules"):
        phone.tab(name)
        expect(phone.page.locator(".item").first).to_be_visible()
        expect(phone.page.locator("main")).to_contain_text("U+202E")
        assert phone.page.evaluate(UNSEEN) == [], name


@pytest.mark.parametrize(("tool", "tool_input", "texts"), [
    ("Read", {"file_path": "", "path": "/etc/one"}, ["/etc/one", "file_path"]),
    ("Grep", {"file_path": "", "path": "/etc/two", "pattern": "what"}, ["/etc/two", "what"]),
    ("Glob", {"path": "", "pattern": "**/*.key"}, ["**/*.key"]), ("Read", {"file_path": ["/etc/three"], "limit": 7}, ["/etc/three", "7"]),
    ("Read", {"file_path": "/etc/four", "path": "/etc/five"}, ["/etc/four", "/etc/five"]),
    ("NotebookEdit", {"notebook_path": "/tmp/a.ipynb", "file_path": "/tmp/b", "new_source": "one", "new_string": "two"},
     ["/tmp/", "a.ipynb", "/tmp/b", "one", "two"]),
    ("Write", {"file_path": "/etc/six", "content": "one", "new_string": "two"}, ["six", "one", "two"]),
    ("MultiEdit", {"file_path": "/etc/seven", "edits": "all of it"}, ["/etc/seven", "all of it"]),
    ("Bash", {"command": "touch a", "description": {"not": "words"}}, ["touch a", "not", "words"])])
def test_no_member_hides_another(phone, session, tool, tool_input, texts):
    session.call(tool, tool_input, event="PermissionRequest")
    expect(phone.cards()).to_have_count(1)
    for text in texts:
        expect(phone.cards().locator(".body")).to_contain_text(text)


def test_what_a_plan_brings_with_it_is_shown(phone, session):
    session.call("ExitPlanMode", {"plan": "# One\n", "allowedPrompts": [{"tool": "Bash", "prompt": "run the tests"}]}, event="PermissionRequest")
    expect(phone.card("One").locator(".body")).to_contain_text("run the tests")


def test_text_that_runs_the_other_way_and_emoji_stay_what_they_are(phone, session):
    held = session.bash("echo \u05e9\u05dc\u05d5\u05dd && rm\u202e txt.exe \U0001f9d1\u200d\U0001f4bb \u0645\u0631\u062d\u0628\u0627")
    card = phone.card("echo")
    expect(card.locator(".code")).to_have_text("echo \u05e9\u05dc\u05d5\u05dd && rmU+202E txt.exe \U0001f9d1U+200D\U0001f4bb \u0645\u0631\u062d\u0628\u0627")
    expect(card.locator(".hidden-character")).to_have_text(["U+202E", "U+200D"])
    expect(card.locator(".flags")).to_contain_text("2 characters cannot be seen")
    assert card.locator(".code").evaluate("node => getComputedStyle(node).unicodeBidi") == "isolate-override"
    phone.press(card, "Deny")
    assert held.decision() == "deny"


def test_what_ends_before_it_is_laid_is_not_kept(phone):
    assert phone.page.evaluate("""async () => {
      const [now, soon] = [0, 60e3].map((later) => new Date(Date.now() + later).toISOString());
      cdev.sync.take({ method: "event/pty_permission", params: { request_id: "r_1", opening: 1, tool_name: "Bash",
        tool_input: { command: "touch a" }, session_id: "s", cwd: "/p", created_at: now, deadline: soon } });
      cdev.sync.take({ method: "event/pty_permission_resolved", params: { request_id: "r_1", opening: 1, decision: "deny" } });
      await cdev.requests.arriving;
      return cdev.model.cards.size;
    }""") == 0
    expect(phone.cards()).to_have_count(0)


def test_a_megabyte_is_shown_whole_before_it_can_be_allowed(phone, session):
    command = "echo " + "x" * (1 << 20) + " end"
    held = session.bash(command)
    card = phone.card("echo")
    allow = card.get_by_role("button", name="Allow once")
    unfold = card.get_by_role("button", name="Show all")
    expect(unfold).to_contain_text("1,048,58", timeout=20_000)
    expect(allow).to_be_disabled()
    expect(card).to_contain_text("Show all of it before you allow it.")
    phone.settled(card)
    unfold.click()
    phone.read(card)
    expect(allow).to_be_enabled()
    assert card.locator(".code").evaluate("node => node.textContent.length") == len(command)
    phone.press(card, "Allow once")
    assert held.decision() == "allow"


@pytest.mark.parametrize("questions", [[], None, "what", [{}], [{"question": 5, "options": "no"}], [{"question": "q", "options": [None, 3]}]])
def test_a_question_that_is_none_does_no_harm(phone, session, questions):
    session.call("AskUserQuestion", {"questions": questions} if questions is not None else {}, event="PermissionRequest")
    expect(phone.cards()).to_have_count(1)
    phone.press(phone.cards(), "Deny")
    phone.tidied()


@pytest.mark.parametrize("tool_input", [{}, {"command": None}, {"command": 5}, {"command": ["a"]}, {"command": ""}, {"command": "x", "more": {"a": None}}])
def test_odd_input_is_shown_as_it_is(phone, session, tool_input):
    held = session.call("Bash", json.loads(json.dumps(tool_input)))
    expect(phone.cards()).to_have_count(1)
    phone.press(phone.cards(), "Deny")
    assert held.decision() == "deny"
