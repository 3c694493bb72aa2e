"""Questions of the agent as forms, in an editor that shows forms."""
import pytest

from harness.approver import RpcError
from harness.checks import includes
from harness.editor import Pipes
from harness.fake_model import Call, say, touch, use

pytestmark = pytest.mark.real_cli


def question(text, *labels, many=False):
    return {"question": text, "header": text.split()[0], "multiSelect": many,
            "options": [{"label": label, "description": f"{label} it is"} for label in labels]}


ASK = Call("AskUserQuestion", {"questions": [
    question("Which bird?", "heron", "stork"), question("What else?", "fish", "frog", "newt", many=True)]})


@pytest.fixture
def forms(box, cdev, begin, editors):
    """As `begin`, for an editor that shows forms."""
    def make(*turns, capabilities=None, **config):
        begin(*turns, **config)
        editor = editors.start(Pipes(box, cdev))
        editor.hello = editor.initialize(elicitation={"form": {}} if capabilities is None else capabilities)
        return editor

    return make


def test_all_questions_are_one_form(box, begin, forms):
    editor = forms(use(ASK), say("done"))
    talk = editor.new(box.project)
    number = talk.begin("go")
    form = editor.form()
    assert form["params"]["toolCallId"] == ASK.id and "Which bird?" in form["params"]["message"]
    wanted = form["params"]["requestedSchema"]
    assert wanted["required"] == ["question_0", "question_1"]
    one, many = wanted["properties"]["question_0"], wanted["properties"]["question_1"]
    includes(one, type="string", title="Which", description="Which bird?")
    assert [(choice["const"], choice["description"]) for choice in one["oneOf"]] == [("heron", "heron it is"), ("stork", "stork it is")]
    assert many["type"] == "array" and [choice["const"] for choice in many["items"]["anyOf"]] == ["fish", "frog", "newt"]
    editor.fill(form, question_0="stork", question_1=["fish", "newt"])
    assert talk.ends(number) == "end_turn"
    text, is_error = begin.model.result(ASK)
    assert not is_error and "stork" in text and "fish, newt" in text and "heron" not in text
    includes(talk.tool(ASK), status="completed")
    assert not editor.of("session/request_permission")


def test_a_form_is_declined(box, begin, forms):
    editor = forms(use(ASK), say("done"))
    talk = editor.new(box.project)
    number = talk.begin("go")
    editor.fill(editor.form(), "decline")
    assert talk.ends(number) == "end_turn" and begin.model.result(ASK)[1]
    talk.tool_is(ASK, "failed")


@pytest.mark.parametrize("answer", [
    {"action": "cancel"}, {}, None, 7, [], {"action": "accept"}, {"action": "accept", "content": {}}, {"action": "nonsense"},
    {"action": "accept", "content": {"question_0": "stork"}}, {"action": "accept", "content": {"question_0": "crane", "question_1": ["fish"]}},
    {"action": "accept", "content": {"question_0": ["stork"], "question_1": ["fish"]}},
    {"action": "accept", "content": {"question_0": "stork", "question_1": "fish"}},
    {"action": "accept", "content": {"question_0": "stork", "question_1": []}},
    {"action": "accept", "content": {"question_0": "stork", "question_1": ["fish", "crane", 7]}}])
def test_what_is_no_answer_leaves_the_question_to_others(box, cdev, begin, forms, answer):
    editor = forms(use(ASK), say("done"))
    phone = cdev.approver("phone")
    talk = editor.new(box.project)
    number = talk.begin("go")
    form = editor.form()
    editor.send({"jsonrpc": "2.0", "id": form["id"], "result": answer})
    editor.settle()
    card = phone.card(tool_use_id=ASK.id)
    phone.respond(card, "allow", answers={"Which bird?": "heron", "What else?": "frog"})
    assert talk.ends(number) == "end_turn" and "heron" in begin.model.result(ASK)[0]


def test_a_form_that_is_answered_elsewhere_is_taken_back(box, cdev, begin, forms):
    editor = forms(use(ASK), say("done"))
    phone = cdev.approver("phone")
    talk = editor.new(box.project)
    number = talk.begin("go")
    form = editor.form()
    phone.respond(phone.card(tool_use_id=ASK.id), "allow", answers={"Which bird?": "heron", "What else?": "frog"})
    editor.taken_back(form)
    assert talk.ends(number) == "end_turn"


@pytest.mark.parametrize("capabilities", [{}, {"form": None}, {"form": True}, {"url": {}}, None, 7, "form"])
def test_an_editor_without_forms_is_asked_as_before(box, begin, forms, capabilities):
    editor = forms(use(ASK), say("done"), capabilities=capabilities if capabilities is not None else [])
    talk = editor.new(box.project)
    number = talk.begin("go")
    asked = editor.question()
    assert not editor.of("elicitation/create")
    editor.answer(asked, "reject_once")
    assert talk.ends(number) == "end_turn"


def test_a_permission_is_no_form(box, forms):
    call = touch("a")
    editor = forms(use(call), say("done"))
    talk = editor.new(box.project)
    number = talk.begin("go")
    editor.answer(editor.question(), "allow_once")
    assert talk.ends(number) == "end_turn" and not editor.of("elicitation/create") and (box.project / "a").exists()
