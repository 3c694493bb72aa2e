"""One session in an editor, on the page, in a chat front end and at a terminal."""
import pytest

from harness.browser import PHONE, Screen
from harness.editor import Editors
from harness.fake_model import say, touch, use
from harness.openai_chat import Chat
from harness.runs import Runs

from conftest import SCREENSHOTS

pytestmark = pytest.mark.real_cli


def test_begun_in_an_editor_answered_on_the_page_gone_on_with_elsewhere(box, cdev, chromium, model, request):
    runs, editors = Runs(box, cdev), Editors(box, cdev)
    script = model(use(touch("a-heron")), say("made it"), say("and more"))
    runs.begin(script)
    screen = Screen(chromium, cdev, "phone", PHONE, SCREENSHOTS / request.node.name)
    try:
        phone = screen.paired(runs.call("token/create", name="phone", rights="drive")["token"])
        editor = editors.open()
        talk = editor.new(box.project)
        turn = talk.begin("make a heron")
        question = editor.question()
        phone.press(phone.card("touch a-heron"), "Allow once")
        editor.taken_back(question)
        assert talk.ends(turn) == "end_turn" and talk.text() == "made it"
        (session,) = runs.call("session/active")["sessions"]
        answer = Chat(runs, cdev, script).ask("go on", extra_body={"session_id": session["id"]})
        assert answer.choices[0].message.content == "and more"
        talk.says("and more")
        told = cdev.ok("transcript", talk.id)
        for words in ("make a heron", "touch a-heron", "made it", "go on", "and more"):
            assert words in told, told
        assert (box.project / "a-heron").exists() and screen.troubles == [] and editors.faults() == []
    finally:
        screen.close()
