"""A real browser at the page of a real daemon. Hooks come from made-up sessions, as in `protocol/`."""
import contextlib
import os
import pathlib
import tempfile

import pytest
from playwright.sync_api import expect, sync_playwright

from double import SMALL, Double
from harness.browser import DESKTOP, PHONE, Screen
from harness.daemon import REPOSITORY
from harness.proxy import Proxy
from harness.waiting import PATIENCE

SCREENSHOTS = REPOSITORY / ".build" / "screenshots"
CHROMIUM = os.environ.get("CDEV_E2E_CHROMIUM", "/usr/bin/chromium")


@pytest.fixture(scope="session")
def chromium():
    """One browser for all tests; each page of it has a profile of its own."""
    expect.set_options(timeout=8000 * PATIENCE)
    # Root may not use the sandbox, and no page of the tests is anybody else's.
    words = ["--no-sandbox"] if os.getuid() == 0 else []
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        with contextlib.closing(playwright.chromium.launch(
                executable_path=CHROMIUM, args=words, env={"HOME": home, "PATH": os.environ["PATH"]})) as browser:
            yield browser


@pytest.fixture
def screens(bare, chromium, request):
    """Makes browsers at the daemon: `screens("laptop", size=DESKTOP, ...)`. Nothing one of them does may break the page's
    own rules, so errors and violations of the policy fail the test at its end."""
    made = []

    def make(name="phone", size=PHONE, **options):
        screen = Screen(chromium, bare, name, size, SCREENSHOTS / request.node.name, **options)
        made.append(screen)
        return screen

    yield make
    troubles = [trouble for screen in made for trouble in screen.troubles]
    for screen in made:
        screen.close()
    assert troubles == []


@pytest.fixture
def phone(screens):
    """A paired phone at the page, connected."""
    return screens().paired()


@pytest.fixture
def laptop(screens):
    return screens("laptop", size=DESKTOP).paired()


@pytest.fixture
def proxy(bare):
    """Stands between a browser and the daemon; see `harness.proxy`."""
    return Proxy(bare.box, bare.tcp)


@pytest.fixture
def phone_behind(screens, proxy):
    """A paired phone whose every byte goes through the proxy."""
    return screens("phone", port=proxy.port).paired()


@pytest.fixture
def double(chromium):
    """Makes scripted daemons, each with a page: `double(size, ...)`. What a page does wrong fails the test at its end."""
    made = []

    def make(size=SMALL, **options):
        made.append(Double(chromium, size, **options))
        return made[-1]

    yield make
    troubles = [trouble for one in made for trouble in one.troubles]
    for one in made:
        one.context.close()
    assert troubles == []
