"""The page for programmers, without anything from elsewhere."""
from playwright.sync_api import expect

from harness import http1


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
