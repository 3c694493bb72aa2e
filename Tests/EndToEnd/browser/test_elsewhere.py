"""Sessions of other machines on the page: shown with their machine, and nothing of them is answered here."""
from playwright.sync_api import expect

from harness.claudiator import Hook


def test_sessions_of_other_machines(phone, bare, session):
    hook = Hook(bare.tcp, bare.token("box"), name="box <b>")
    hook.sent("UserPromptSubmit", session="there-1", cwd="/srv/elsewhere", prompt="<i>fix</i> it")
    hook.sent("PermissionRequest", session="there-1", tool_name="Bash")
    hook.sent("SessionEnd", session="there-2", cwd="/srv/over")
    phone.tab("Sessions")
    section = phone.page.get_by_role("region", name="On other machines")
    expect(section.locator(".item")).to_have_count(1)
    there = section.locator(".item")
    for text in "elsewhere", "box <b>", "<i>fix</i> it", "Waiting for an answer there":
        expect(there).to_contain_text(text)
    expect(there.locator("a, button, summary")).to_have_count(0)
    expect(phone.page.locator("main")).to_contain_text(session.id[:8])
    hook.sent("SessionEnd", session="there-1")
    phone.tab("Requests")
    phone.tab("Sessions")
    expect(phone.page.locator("main")).to_contain_text(session.id[:8])
    expect(section).to_have_count(0)
