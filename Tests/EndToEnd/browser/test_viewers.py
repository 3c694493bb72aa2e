"""Who else looks at a session: on its page while it is open, and in the list of sessions."""
import pytest
from playwright.sync_api import expect

import talk
from double import SMALL, WIDE
from test_access import axe, too_small_in

TRANSCRIPT = f"#transcript={talk.WORKSPACE}/{talk.SESSION}"


@pytest.fixture
def looked(double):
    def make(others=(), names=None, size=SMALL, **options):
        at = talk.serve(double(size, **options), talk.story())
        at.methods["client/session/focus"] = lambda params: {**params, "other_viewers": list(others), "viewer_count": len(others) + 1, "success": True, **({"viewer_names": names} if names else {})}
        return at

    return make


def joined(at, client, name=None, event="session_joined"):
    member = "joining_client_id" if event == "session_joined" else "leaving_client_id"
    at.say(event, session_id=talk.SESSION, workspace_id=talk.WORKSPACE, **{member: client}, viewer_count=2, **({"viewer_names": {client: name}} if name else {}))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_they_are_named_while_they_look(looked, scheme):
    at = looked(["c1"], {"c1": "device laptop"}, color_scheme=scheme, reduced_motion="reduce").open(TRANSCRIPT)
    page = at.page
    line = page.locator(".viewers")
    expect(line).to_have_text("Also looking: laptop")
    joined(at, "c2", "local")
    expect(line).to_have_text("Also looking: laptop and somebody at the computer")
    joined(at, "c3")
    expect(line).to_have_text("Also looking: laptop, somebody at the computer and 1 more device")
    assert (axe(page), too_small_in(page)) == ([], [])
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    at.picture(f"viewers-{scheme}")
    for client in ("c1", "c2", "c3", "never"):
        joined(at, client, event="session_left")
    expect(line).to_be_hidden()


def test_another_session_is_none_of_it(looked):
    at = looked().open(TRANSCRIPT)
    expect(at.page.locator(".message").first).to_be_visible()
    at.say("session_joined", session_id="another", workspace_id=talk.WORKSPACE, joining_client_id="c9", viewer_count=2)
    joined(at, "c1", "device tv")
    expect(at.page.locator(".viewers")).to_have_text("Also looking: tv")


def test_the_list_says_how_many_look(looked):
    at = looked(size=WIDE)
    listed = at.methods["workspace/list"]

    def seen(params):
        workspace, = listed(params)["workspaces"]
        first, *rest = workspace["sessions"]
        return {"workspaces": [{**workspace, "sessions": [{**first, "viewers": ["c1", "c2"]}, *rest]}]}

    at.methods["workspace/list"] = seen
    expect(at.open("#sessions").page.locator(".session").first).to_contain_text("2 devices looking")


def test_two_phones_see_each_other(screens, session, bare):
    """At a real daemon: by the names that they were given."""
    from harness.transcripts import Transcript
    Transcript(bare.box, session.id).prompt("please mend the roof")
    phone, tablet = screens("phone").paired(), screens("tablet").paired()
    workspace = bare.local.call("workspace/list")["workspaces"][0]["id"]
    for screen in (phone, tablet):
        screen.page.evaluate(f"() => {{ location.hash = '#transcript={workspace}/{session.id}'; }}")
        expect(screen.page.get_by_text("please mend the roof")).to_be_visible()
    expect(phone.page.locator(".viewers")).to_have_text("Also looking: tablet")
    expect(tablet.page.locator(".viewers")).to_have_text("Also looking: phone")
    tablet.page.evaluate("() => { location.hash = '#sessions'; }")
    expect(phone.page.locator(".viewers")).to_be_hidden()
