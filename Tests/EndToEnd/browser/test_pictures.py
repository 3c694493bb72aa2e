"""What the page looks like, kept as pictures: nothing is compared, people look."""
import pytest
from playwright.sync_api import expect

from harness.browser import DESKTOP, PHONE

import scenes

SCHEMES = ["light", "dark"]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_every_kind_of_card(screens, session, size, scheme):
    screen = screens("phone", size=size, color_scheme=scheme).paired()
    kinds = {"bash": lambda: session.bash(scenes.COMMAND), "edit": lambda: scenes.edit(session), "write": lambda: scenes.write(session),
             "mcp": lambda: scenes.mcp(session), "fetch": lambda: scenes.fetch(session), "question": lambda: scenes.question(session),
             "plan": lambda: scenes.plan(session), "hidden": lambda: session.bash("echo safe\u202e\u200b # םולש")}
    for name, ask in kinds.items():
        held = ask()
        expect(screen.cards()).to_have_count(1)
        screen.settled(screen.cards())
        screen.picture(name, full=True)
        screen.press(screen.cards(), "Keep planning" if name == "plan" else "Deny")
        assert held.decision() == "deny"
        screen.tidied()
    screen.picture("empty")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_every_view(screens, bare, session, size, scheme):
    screen = screens("phone", size=size, color_scheme=scheme)
    screen.open()
    screen.picture("pair")
    screen.paired()
    for command in ("touch a", "npm test", "git push"):
        held = session.bash(command)
        screen.answer(command, "Deny" if command == "git push" else "Allow for session")
        held.decision()
        if command != "git push":
            session.ran(held)
    other = bare.session(cwd=bare.box.home)
    other.start()
    for number in range(3):
        other.bash(f"make target{number}")
    expect(screen.cards()).to_have_count(3)
    screen.picture("several")
    screen.page.get_by_role("button", name="Select").click()
    screen.settled(screen.cards().nth(1))
    screen.cards().nth(1).get_by_label("Select").check()
    screen.picture("selecting")
    screen.page.get_by_role("button", name="Done").click()
    for name in ("Sessions", "History", "Rules", "Devices"):
        screen.tab(name)
        screen.page.wait_for_load_state("networkidle")
        if name != "Devices":
            screen.page.locator(".item summary, .item:not(:has(summary))").first.click()
        screen.picture(name.lower())
    screen.tab("Requests")
    bare.stop()
    screen.is_phase("offline")
    screen.picture("offline")
