"""A person at the web page: one browser profile, what it shows, and what is done to it."""
import pytest
from playwright.sync_api import Error, expect

from .waiting import PATIENCE

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}

# Pastes a token into the page as soon as it can take one. By hand it is done in `test_letting_in` and `test_connection`.
_PAIR = """token => {
  const field = document.querySelector('.pair input');
  if (!field || field.disabled) return false;
  field.value = token;
  field.form.requestSubmit();
  return true;
}"""

# A card that has just appeared or moved ignores input; it is aimed at once this has passed. What was done last may move
# it in the next frame, so it must be ready in three frames in a row.
_READY = """async id => {
  for (let frame = 0, ready = 0; frame < 1000; frame += 1) {
    await new Promise(requestAnimationFrame);
    ready = cdev.gate.isReady(id) && !document.querySelector('.ended.mine') ? ready + 1 : 0;
    if (ready === 3) return true;
  }
  return false;
}"""


# A person scrolls until the end of what a card shows is on the screen. What is folded is not shown by that.
_TO_ITS_END = """async card => {
  const frame = () => new Promise(requestAnimationFrame);
  for (let count = 0; count < 120; count += 1) {
    const view = cdev.requests.lent.find(card.dataset.id);
    if (!view || view.sight.isSeen) return;
    if (view.sight.isSeen === false) view.mark.scrollIntoView({ block: 'center', behavior: 'instant' });
    await frame();
  }
}"""

# The entries under "More".
RARE = {"Edit the command", "Deny with reason", "Say what to change", "Deny for session…", "Answer in terminal"}


class Screen:
    """A browser at the daemon's page. `troubles` holds what the page should never cause."""

    def __init__(self, chromium, cdev, name, size, screenshots, port=None, **options):
        self.cdev, self.name, self.screenshots = cdev, name, screenshots
        self.base = f"http://127.0.0.1:{port or cdev.port}"
        touch = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2} if size == PHONE else {}
        self.troubles = troubles = []
        self.context = chromium.new_context(viewport=size, **touch, **options)
        self.page = self.context.new_page()
        cdev.box.note(f"{name} shows", self.text)
        self.page.on("pageerror", lambda error: troubles.append(f"{name}: {error}"))
        self.page.on("dialog", lambda dialog: (troubles.append(f"{name}: dialog {dialog.message}"), dialog.dismiss()))
        self.page.on("console", self._said)

    def _said(self, message):
        if message.type == "error" and ("Content Security" in message.text or "Trusted" in message.text):
            self.troubles.append(f"{self.name}: {message.text}")

    def text(self):
        try:
            return self.page.locator("body").inner_text(timeout=1000)
        except Error as error:  # the page is gone; that must not hide why the test failed
            return str(error)

    # Getting in

    def open(self, path="/"):
        self.page.goto(self.base + path)
        return self

    def paired(self, token=None):
        """At the page with a token pasted into it."""
        token = token or self.cdev.token(self.name)
        self.open()
        self.page.wait_for_function(_PAIR, arg=token, polling=50, timeout=8000 * PATIENCE)
        return self.online()

    def online(self):
        self.is_phase("online")
        return self

    def tries_now(self):
        """Presses "Try now", unless the page has connected by itself meanwhile, as it tries to after about a second."""
        try:
            self.page.get_by_role("button", name="Try now").click(timeout=2000)
        except Error:
            pass
        return self.online()

    def has_said(self, text):
        """The last words for a screen reader. On its card an answer of one's own stands for half a second only."""
        expect(self.page.locator("#said")).to_contain_text(text)

    def is_phase(self, phase):
        # Looked at in each frame, where `expect` looks again after 100, 250, 500 ms; that one says what is wrong.
        try:
            self.page.wait_for_function("phase => document.body.dataset.phase === phase", arg=phase, timeout=8000 * PATIENCE)
        except Error:
            expect(self.page.locator("body")).to_have_attribute("data-phase", phase)

    def can(self, method, parameter=None):
        """Whether the daemon has that method, and it takes that parameter."""
        return self.page.evaluate("([method, parameter]) => cdev.features.has(method, parameter)", [method, parameter])

    def needs(self, method, parameter=None):
        if not self.can(method, parameter):
            pytest.skip(f"this daemon has no {method} {parameter or ''}")

    # Cards

    def cards(self):
        return self.page.locator(".card:not(.ended)")

    def card(self, text, ended=False):
        """The card that shows this text, once it may be aimed at."""
        card = self.page.locator(".card.ended" if ended else ".card:not(.ended)").filter(has_text=text)
        expect(card).to_have_count(1)
        if not ended:
            self.settled(card)
        return card

    def settled(self, card):
        assert self.page.evaluate(_READY, card.get_attribute("data-id")), "the card was never ready to be pressed"

    def press(self, card, name):
        """Presses that button as somebody who has read the card to its end, and opens "More" for what stands there."""
        self.read(card)
        button = card.get_by_role("button", name=name, exact=True)
        if name in RARE and not button.is_visible():
            card.get_by_role("button", name="More", exact=True).click()
            self.settled(card)
        button.click()

    def read(self, card):
        """Its end is on the screen, and it may be pressed. Where it is there already nothing is scrolled."""
        self.settled(card)
        card.evaluate(_TO_ITS_END)
        self.settled(card)
        return card

    def answer(self, text, name):
        self.press(self.card(text), name)

    def edit(self, card, command):
        self.press(card, "Edit the command")
        card.get_by_label("Runs instead, this once").fill(command)

    def tidied(self):
        """Nothing is open, and what has ended has gone at once: for who does not ask how long it says how it ended."""
        expect(self.cards()).to_have_count(0)
        self.tab("Requests")
        expect(self.page.get_by_text("Nothing to answer")).to_be_visible()

    def tab(self, name):
        self.page.get_by_role("navigation", name="Views").get_by_role("link", name=name).click()
        expect(self.page.get_by_role("heading", level=1)).to_have_text(name)

    # Pictures

    def picture(self, name, full=False):
        self.screenshots.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=str(self.screenshots / f"{name}.png"), full_page=full)

    def close(self):
        self.context.close()
