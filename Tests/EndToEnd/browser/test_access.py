"""That everybody can use it: axe's rules, sizes, names; and what the files come with."""
import hashlib
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

import scenes
from harness import http1
from harness.browser import DESKTOP, PHONE
from harness.checks import error_of
from harness.daemon import REPOSITORY

# Elements a finger has to hit.
TARGETS = "button:visible, summary:visible, .tabs a:visible, .pick:visible, .choice:visible, input:not([type=checkbox]):not([type=radio]):visible"


def violations(screen):
    # What has just moved fades in; two frames later the page knows what has.
    screen.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    screen.page.wait_for_function("() => !document.querySelector('.quieted, .ended.mine')")
    # Half faded in, a text has not the contrast it is going to have. A bar that runs for minutes is not waited for.
    screen.page.wait_for_function(
        "() => document.getAnimations().every((one) => one.playState !== 'running' || one.effect.getComputedTiming().endTime > 5000)")
    return axe(screen.page)


def axe(page):
    found = Axe().run(page).response["violations"]
    return [(v["id"], [node["target"] for node in v["nodes"]], v["nodes"][0]["failureSummary"]) for v in found]


def too_small(screen):
    return too_small_in(screen.page)


def too_small_in(page):
    boxes = page.locator(TARGETS).evaluate_all(
        "nodes => nodes.map((node) => [node.textContent || node.placeholder, node.getBoundingClientRect()]).map(([text, box]) => [text, box.width, box.height])")
    return [(text, width, height) for text, width, height in boxes if width < 44 or height < 44]


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_rule_of_axe_is_broken(screens, bare, session, scheme, size):
    screen = screens("phone", size=size, color_scheme=scheme, reduced_motion="reduce")
    screen.open()
    assert violations(screen) == []
    screen.paired()
    assert violations(screen) == []
    for ask in (scenes.edit, scenes.mcp, lambda session: session.bash("touch a"), lambda session: session.bash("echo a\u200bb")):
        ask(session)
    expect(screen.cards()).to_have_count(4)
    # These have an hour; a card that waits for its preview longer than they do would have to be asked for.
    scenes.question(session)
    scenes.plan(session)
    expect(screen.cards()).to_have_count(6)
    first = screen.card("touch a")
    screen.press(first, "Edit the command")
    first.get_by_label("Runs instead, this once").fill("touch b")
    assert (violations(screen), too_small(screen)) == ([], [])
    screen.page.get_by_role("button", name="Select", exact=True).click()
    assert (violations(screen), too_small(screen)) == ([], [])
    screen.page.get_by_role("button", name="Done").click()
    screen.press(first, "Allow changed, once")
    other = session.bash("touch s")
    screen.page.get_by_role("button", name=re.compile("1 new")).click()
    screen.answer("touch s", "Allow for session")
    assert other.decision() == "allow"
    # One's own answer closes up after a while, by which others move and are half faded again.
    expect(screen.cards()).to_have_count(5)
    expect(screen.page.locator(".card.ended")).to_have_count(0)
    assert violations(screen) == []
    for name in ("Sessions", "History", "Rules", "Devices"):
        screen.tab(name)
        screen.page.wait_for_load_state("networkidle")
        if screen.page.locator("summary").count():
            screen.page.locator("summary").first.click()
        assert (violations(screen), too_small(screen)) == ([], []), name
    screen.tab("Requests")
    bare.stop()
    screen.is_phase("offline")
    assert violations(screen) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_rule_of_axe_is_broken_by_what_unfolds(screens, bare, session, scheme):
    screen = screens("phone", color_scheme=scheme, reduced_motion="reduce").paired()
    for name in "ab":
        session.bash(f"touch {name}")
    expect(screen.cards()).to_have_count(2)
    screen.page.evaluate("""() => {
      for (const card of cdev.model.openCards) {
        cdev.model.completes({ ...card.data, outside: true, scope_words: "any `touch …` in proj", context: { title: "A title", prompt: "A prompt", last_words: "Words" } });
        cdev.requests.replace(card.id);
      }
    }""")
    card = screen.card("touch a")
    card.get_by_text("Why?").click()
    card.get_by_role("button", name="More", exact=True).click()
    assert (violations(screen), too_small(screen)) == ([], [])
    screen.press(card, "Allow 2 like this…")
    expect(screen.page.get_by_role("button", name="Allow these 2 once")).to_be_enabled()
    assert (violations(screen), too_small(screen)) == ([], [])
    screen.page.keyboard.press("Escape")
    screen.page.keyboard.press("?")
    expect(screen.page.get_by_role("dialog", name="Keys")).to_be_visible()
    assert (violations(screen), too_small(screen)) == ([], [])


def test_a_screen_reader_hears_what_comes_and_goes(phone, laptop, session):
    session.bash("touch a")
    expect(phone.page.locator("#said")).to_have_text("New request in proj: made up")
    laptop.answer("touch a", "Deny")
    expect(phone.page.locator("#said")).to_have_text("Denied by laptop")


def test_nothing_moves_for_who_asked_for_that(screens, session):
    phone = screens(reduced_motion="reduce").paired()
    session.bash("touch a")
    card = phone.card("touch a")
    assert card.locator(".time i").evaluate("node => getComputedStyle(node).transitionDuration") == "0s"


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_nothing_is_wider_than_the_screen(screens, session, width):
    phone = screens("phone", size={"width": width, "height": 800}).paired()
    session.bash("x" * 400)
    scenes.edit(session)
    scenes.mcp(session)
    expect(phone.cards()).to_have_count(3)
    assert phone.page.evaluate("() => document.documentElement.scrollWidth") <= width


# The files

FILES = ["/", "/css/base.css", "/icons/icon-192.png", "/icons/icon.svg", "/js/main.js", "/manifest.webmanifest", "/worker.js"]
TYPES = {"/": "text/html; charset=utf-8", "/css/base.css": "text/css; charset=utf-8", "/icons/icon-192.png": "image/png",
         "/icons/icon.svg": "image/svg+xml", "/js/main.js": "text/javascript; charset=utf-8",
         "/manifest.webmanifest": "application/manifest+json", "/worker.js": "text/javascript; charset=utf-8"}


@pytest.mark.parametrize("path", FILES)
def test_a_file_comes_with_its_rules(bare, path):
    response = http1.ask(bare.tcp, "GET", path)
    assert response.status == 200 and response.body
    assert response.headers["content-type"] == TYPES.get(path, TYPES["/"])
    assert response.headers["cache-control"] == "no-cache"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["cross-origin-opener-policy"] == "same-origin"
    policy = response.headers["content-security-policy"].split("; ")
    for rule in ("default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'",
                 "form-action 'none'", "require-trusted-types-for 'script'"):
        assert rule in policy
    assert "unsafe" not in response.headers["content-security-policy"]
    assert "set-cookie" not in response.headers


def test_what_the_worker_keeps_goes_by_its_fields_too(bare):
    kinds = {path.rpartition(".")[2] if "." in path else "html": value for path, value in TYPES.items()}
    fields = http1.ask(bare.tcp, "GET", "/").headers
    names = ["Cache-Control", "Content-Security-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy",
             "Referrer-Policy", "Vary", "X-Content-Type-Options"]
    text = "\n".join([f"{name}: {fields[name.lower()]}" for name in names] + [f"{kind}: {kinds[kind]}" for kind in sorted(kinds)])
    worker = http1.ask(bare.tcp, "GET", "/worker.js").body.decode()
    assert f'const FIELDS = "{hashlib.sha256(text.encode()).hexdigest()}";' in worker.splitlines()


def test_a_file_that_is_there_already_is_not_sent_again(bare):
    first = http1.ask(bare.tcp, "GET", "/")
    tag = first.headers["etag"]
    for known in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        again = http1.ask(bare.tcp, "GET", "/", headers={"If-None-Match": known})
        assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
    assert http1.ask(bare.tcp, "GET", "/", headers={"If-None-Match": '"other"'}).status == 200


def test_only_its_head_is_sent_where_that_is_asked_for(bare):
    with http1.Connection(bare.tcp) as connection:
        connection.request("HEAD", "/js/main.js")
        status, headers = connection.head()
        assert status == 200 and int(headers["content-length"]) > 100
        connection.request("GET", "/health")
        assert connection.response().json["status"] == "ok"


@pytest.mark.parametrize(("method", "path", "status"), [
    ("POST", "/", 405), ("GET", "/index.html", 404), ("GET", "/js/", 404), ("GET", "/js/../index.html", 404), ("GET", "//", 404),
    ("GET", "/worker.js%00", 404), ("GET", "/JS/main.js", 404), ("GET", "/.git/config", 404)])
def test_what_is_no_file_is_none(bare, method, path, status):
    error_of(http1.ask(bare.tcp, method, path), status)


def test_a_host_we_do_not_serve_gets_no_file(bare):
    error_of(http1.ask(bare.tcp, "GET", "/", headers={"Host": "evil.example"}), 421)


def test_the_source_makes_no_markup_from_text():
    for path in (REPOSITORY / "web").rglob("*.js"):
        text = path.read_text()
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "localStorage", "document.cookie"):
            assert word not in text, f"{path.name}: {word}"
        assert len(text.splitlines()) <= 200, path.name
