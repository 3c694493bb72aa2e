"""All of it at once: the real client asks, a phone that knows nothing but the printed address answers, the client goes on."""
import re

import pytest
from playwright.sync_api import expect

from harness.checks import delivered
from harness.fake_model import say, touch, use

pytestmark = pytest.mark.real_cli


@pytest.mark.parametrize("answer, is_run", [("Allow once", True), ("Deny", False)])
def test_a_phone_answers_the_real_client(box, bare, screens, model, claude, answer, is_run):
    bare.ok("install")
    pair = bare.spawn("pair", "--name", "my phone")
    url = re.search(r"http://\S+#pair=\S+", pair.shows("#pair="))[0]
    phone = screens()
    phone.page.goto(url)
    phone.online()
    run = claude(model(use(touch("x")), say("done")))
    phone.answer("touch x", answer)
    delivered(run)
    assert (box.project / "x").exists() == is_run
    assert bare.history(run.session_id)[0]["resolved_by"] == "device my phone"
    expect(phone.page.locator(".card:not(.ended)")).to_have_count(0)
    phone.picture("answered")
