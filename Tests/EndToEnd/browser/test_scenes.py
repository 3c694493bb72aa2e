"""Thirteen scenes of a real task as pictures. With CDEV_E2E_PICTURES=DIRECTORY they are written there, as `docs/scenes` was made."""
import json
import os
import pathlib
import shutil

import pytest
from playwright.sync_api import expect

from harness.browser import DESKTOP, PHONE
from harness.waiting import until
import talk
from test_repository import DRIVER, Repository
from test_sessions import asks, served

TITLE = "Retry failed payments"
PROMPT = "Payments sometimes fail when the bank is slow. Retry them up to five times, and make sure the tests cover it."
LAST = "The retry is in place. I will run the payment tests before I build."
CODE = ("import { charge } from './bank.js';\n\nexport async function pay(order) {\n  for (let attempt = 0; attempt < 3; attempt += 1) {\n    try {\n"
        "      return await charge(order);\n    } catch (error) {\n      if (!error.isTemporary) throw error;\n    }\n  }\n"
        "  throw new Error('the bank did not answer');\n}\n")
SERVICE = "[Unit]\nDescription=Shop API\nAfter=network-online.target\n\n[Service]\nExecStart=/usr/bin/node /home/ana/shop-api/server.js\nRestart=on-failure\n\n[Install]\nWantedBy=default.target\n"
PLAN = ("# Retry failed payments\n\n1. Count attempts in `src/pay.js`, five at most\n2. Wait 1, 2, 4 and 8 s between them\n"
        "3. Test a bank that is **slow**, and one that says **no**\n\n> A payment that the bank refused is never sent again.\n\n```sh\nnpm test -- payments\n```\n")
QUESTIONS = {"questions": [
    {"question": "How long may one payment take altogether?", "header": "Limit", "multiSelect": False, "options": [
        {"label": "20 seconds", "description": "The customer waits at the till."},
        {"label": "2 minutes", "description": "The order is confirmed by mail."}]},
    {"question": "Who is told when the last attempt fails?", "header": "Alert", "multiSelect": True, "options": [
        {"label": "The customer", "description": "A message with a link to pay again."},
        {"label": "The shop", "description": "One line in the daily report."}]}]}
SCRIPT = "set -euo pipefail\n" + "\n".join(
    f"psql shop -c \"update payments set attempts = 0 where day = '2026-11-{day:02}'\"" for day in range(1, 24)) + "\nnpm run reconcile\n"

# The sandbox has a path that means nothing to a reader.
DRESSED = """([root, home]) => {
  const dress = (value) => JSON.parse(JSON.stringify(value ?? null).replaceAll(root, home));
  const opens = cdev.model.opens.bind(cdev.model);
  cdev.model.opens = (data) => opens(dress(data));
  const call = cdev.link.call.bind(cdev.link);
  cdev.link.call = async (...all) => dress(await call(...all));
}"""


@pytest.fixture
def shop(bare):
    """A session in a project that looks like one."""
    place = bare.box.home / "shop-api"
    (place / "src").mkdir(parents=True)
    (place / "src" / "pay.js").write_text(CODE)
    session = bare.session(cwd=place)
    transcript = bare.box.home / f"{session.id}.jsonl"
    lines = {"type": "ai-title", "aiTitle": TITLE}, {"type": "assistant", "message": {"content": [{"type": "text", "text": LAST}]}}
    transcript.write_text("".join(json.dumps({**line, "sessionId": session.id}) + "\n" for line in lines))
    payload = session.payload
    session.payload = lambda event, **fields: payload(event, **{"transcript_path": str(transcript), **fields})
    session.start()
    session.tell("UserPromptSubmit", prompt=PROMPT)
    return session


@pytest.fixture
def shown(screens, bare):
    """Opens a page in that home: `shown(size)`."""
    def make(size):
        screen = screens("phone", size=size, color_scheme="light").paired(bare.token("Ana's phone"))
        screen.page.evaluate(DRESSED, [str(bare.box.home), "/home/ana"])
        return screen

    return make


def take(screen, name):
    """A picture of the screen as it is, once nothing fades."""
    screen.page.wait_for_function("() => !document.querySelector('.quieted') && document.getAnimations().every((one) => one.playState !== 'running' || one.effect.getComputedTiming().endTime > 900)")
    screen.picture(name)
    kept = os.environ.get("CDEV_E2E_PICTURES")
    if kept:
        pathlib.Path(kept).mkdir(parents=True, exist_ok=True)
        shutil.copy(screen.screenshots / f"{name}.png", pathlib.Path(kept) / f"{name}.png")


def command(session):
    return session.call("Bash", {"command": "npm test -- payments && npm run build", "description": "Run the payment tests, then build"})


def edit(session):
    return session.call("Edit", {"file_path": f"{session.cwd}/src/pay.js", "old_string": "attempt < 3", "new_string": "attempt < 5", "replace_all": False})


def write(session):
    return session.call("Write", {"file_path": f"{pathlib.Path(session.cwd).parent}/.config/systemd/user/shop.service", "content": SERVICE})


def plan(session):
    return session.call("ExitPlanMode", {"plan": PLAN}, event="PermissionRequest")


def form(session):
    return session.call("AskUserQuestion", QUESTIONS, event="PermissionRequest")


def hostile(session):
    return session.call("Bash", {"command": "cp receipt\u202efdp.exe \u200b/tmp/<b>receipt</b> # \u05ea\u05e9\u05dc\u05d5\u05dd", "description": "Copy the receipt"})


def script(session):
    return session.call("Bash", {"command": SCRIPT, "description": "Count the attempts of this month again"})


@pytest.mark.parametrize("scene", [command, edit, write, plan, form, hostile, script], ids=lambda scene: scene.__name__)
def test_a_scene_of_one_card(shown, shop, scene):
    phone = shown(PHONE)
    held = scene(shop)
    expect(phone.cards()).to_have_count(1)
    phone.settled(phone.cards())
    if scene is command:
        phone.page.get_by_text("Why?").click()
    if scene is script:
        phone.cards().get_by_role("button", name="Show all").click()
    if scene is form:
        phone.page.get_by_label("20 seconds").check()
    phone.page.evaluate("() => scrollTo({ top: 0, behavior: 'instant' })")
    phone.settled(phone.cards())
    take(phone, scene.__name__)
    phone.cards().get_by_role("button", name="Keep planning" if scene is plan else "Deny", exact=True).click()
    assert held.decision() == "deny"


def forty(bare, shop):
    other = bare.session(cwd=bare.box.home / "shop-web")
    other.start()
    for number in range(20):
        shop.call("Bash", {"command": f"npm test -- payments/case-{number + 1}", "description": f"Run case {number + 1}"})
        other.call("Bash", {"command": f"npx prettier --write src/page-{number + 1}.html", "description": f"Format page {number + 1}"})
    until(lambda: bare.local.call("permission/stats")["pending_requests"] == 40, "forty open requests")


@pytest.mark.parametrize(("name", "size"), [("forty", PHONE), ("desktop", DESKTOP)])
def test_a_scene_of_forty_cards(shown, bare, shop, name, size):
    (bare.box.home / "shop-web").mkdir()
    screen = shown(size)
    forty(bare, shop)
    screen.page.wait_for_function("() => cdev.model.openCards.length === 40")
    # A card that waited for its transcript comes after later ones, and stands on the page once somebody asks for it.
    fresh = screen.page.locator("button.fresh")
    if fresh.is_visible():
        fresh.click()
    expect(screen.cards()).to_have_count(40)
    screen.page.get_by_role("link", name="Requests").click()
    screen.settled(screen.cards().first)
    if size is DESKTOP:
        screen.page.keyboard.press("j")
    take(screen, name)


def test_a_scene_of_the_history(shown, bare, shop):
    phone = shown(PHONE)
    for scene, answer in ((command, "Allow once"), (edit, "Allow once"), (hostile, "Deny"), (script, "Deny")):
        held = scene(shop)
        expect(phone.cards()).to_have_count(1)
        phone.press(phone.cards(), answer)
        held.decision()
        phone.tidied()
    phone.tab("History")
    entry = phone.page.locator("main .item").nth(2)
    expect(entry).to_contain_text("pay.js")
    entry.locator("summary").click()
    phone.page.wait_for_load_state("networkidle")
    take(phone, "history")


def project(double):
    """A project at a scripted daemon, with a session that waits."""
    at = served(double(PHONE, rights=DRIVER, color_scheme="light"), state="permission_pending", pending_requests=1)
    Repository(at)
    asks(at, deadline="2026-11-25T10:05:00Z")
    fact = {"session_id": talk.SESSION, "summary": TITLE, "branch": "main", "model": "claude-opus-5", "cost_usd": 0.4213, "input_tokens": 812_000, "output_tokens": 31_000}
    at.methods["workspace/session/history"] = lambda _: {"sessions": [fact], "total": 1}
    return at


def test_a_scene_of_the_sessions(double):
    at = project(double).open("#sessions")
    expect(at.page.locator(".spent")).to_be_visible()
    take(at, "sessions")


def test_a_scene_of_a_transcript(double):
    at = project(double)
    at.methods["permission/pending"] = lambda _: {"requests": [], "count": 0, "more": 0}
    page = at.open(f"#transcript={talk.WORKSPACE}/{talk.SESSION}").page
    expect(page.locator(".message").last).to_be_in_viewport()
    page.locator(".call", has_text="Edit").locator("summary").click()
    page.locator(".prose .scrolled").evaluate("node => scrollBy({ top: node.getBoundingClientRect().top - 300, behavior: 'instant' })")
    take(at, "transcript")


def test_a_scene_of_the_changes(double):
    at = project(double)
    at.methods["permission/pending"] = lambda _: {"requests": [], "count": 0, "more": 0}
    page = at.open(f"#changes={talk.WORKSPACE}").page
    page.locator(".changed-file", has_text="pay.js").locator(".disclose").click()
    expect(page.locator("ins.line")).to_have_count(2)
    page.evaluate("() => scrollTo({ top: 0, behavior: 'instant' })")
    take(at, "changes")
