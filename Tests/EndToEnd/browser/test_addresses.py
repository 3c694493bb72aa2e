"""What stands behind # in the page's address: a view, a request, a pairing token."""
import pytest
from playwright.sync_api import expect

import scenes
from harness.waiting import until


def test_only_what_is_asked_for_is_in_the_address(phone, session, bare):
    session.bash("touch a")
    phone.card("touch a")
    request = bare.local.call("permission/pending")["requests"][0]["request_id"]
    phone.page.evaluate("id => { location.hash = `#request=${id}`; }", request)
    expect(phone.card("touch a")).to_be_focused()
    assert phone.page.url.endswith("/#requests")


def at(screen, request):
    """A page opened anew for that request, as by a notification."""
    screen.page.goto("about:blank")
    screen.open(f"/#request={request}")
    return screen.online()


def test_a_page_opened_for_a_request_shows_it(phone, session, bare):
    for name in "abcd":
        session.bash(f"touch {name}")
    scenes.edit(session)
    until(lambda: bare.local.call("permission/stats")["pending_requests"] == 5, "five open requests")
    ids = {str(request["tool_input"]): request["request_id"] for request in bare.local.call("permission/pending")["requests"]}
    for wanted in ("touch d", "retry.py"):
        at(phone, next(request for call, request in ids.items() if wanted in call))
        expect(phone.cards()).to_have_count(5)
        expect(phone.card(wanted)).to_be_focused()
        expect(phone.card(wanted)).to_be_in_viewport()
        assert phone.page.url.endswith("/#requests")


def test_a_page_opened_for_a_request_that_has_ended_says_so(phone, session):
    session.bash("touch a")
    # Only then the page may leave: a call that finds nobody to ask is not held.
    phone.card("touch a")
    at(phone, "gone")
    expect(phone.page.locator("#said")).to_have_text("That request is not open any more.")
    phone.card("touch a")


def test_a_pairing_link_leaves_the_address_bar_at_once(screens):
    phone = screens()
    phone.open("/#pair=cdev_p_" + "x" * 22)
    expect(phone.page.locator(".pair .state")).not_to_be_empty()
    assert phone.page.url == phone.base + "/"


@pytest.mark.parametrize("fragment", ["#%", "#%E0%A4%A", "#request=%", "#constructor", "#request="])
def test_an_address_that_is_not_well_formed_leads_to_the_requests(phone, session, fragment):
    session.bash("touch a")
    at_hash(phone, fragment)
    phone.online()
    phone.card("touch a")
    expect(phone.page.get_by_role("heading", level=1)).to_have_text("Requests")


def at_hash(screen, fragment):
    screen.page.goto("about:blank")
    screen.open("/" + fragment)
