"""The page for programmers, without anything from elsewhere."""
import pytest
from playwright.sync_api import expect

from double import SMALL
from harness import http1
from harness.browser import DESKTOP
from test_access import axe


def test_it_shows_every_route(screens, bare):
    screen = screens()
    screen.open("/swagger/")
    document = http1.ask(bare.tcp, "GET", "/swagger/openapi.json").json
    routes = screen.page.locator("#routes details")
    expect(routes).to_have_count(sum(len(item) for item in document["paths"].values()))
    call = routes.filter(has_text="POST /rpc")
    call.locator("summary").click()
    expect(call).to_contain_text("#/components/schemas/Call")
    expect(screen.page.locator("#schemas details")).to_have_count(len(document["components"]["schemas"]))
    assert screen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("size", [SMALL, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_rule_of_axe_is_broken(screens, scheme, size):
    screen = screens(size=size, color_scheme=scheme)
    page = screen.open("/swagger/").page
    call = page.locator("#routes details").filter(has_text="POST /rpc")
    expect(call).to_have_count(1)
    assert axe(page) == []
    for kept in call, page.locator("#schemas details").first:
        kept.locator("summary").click()
    assert axe(page) == []
    heights = page.locator("summary:visible").evaluate_all("nodes => nodes.map((node) => node.getBoundingClientRect().height)")
    assert min(heights) >= 24
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    screen.picture(f"routes-{size['width']}-{scheme}")
