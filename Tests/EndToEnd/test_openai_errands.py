"""What a chat front end asks for itself, such as a title for a chat: the model alone answers, or nobody."""
import json

import openai
import pytest

from harness.fake_model import fail, say
from harness.openai_chat import Chat, Messages, Responses
from harness.runs import Runs, children

pytestmark = pytest.mark.real_cli

TASK = {"X-OpenWebUI-Task": "title_generation"}


class Completions:
    """As the other shapes are asked."""

    def __init__(self, talk):
        self.talk = talk

    def ask(self, text, **more):
        return self.talk.ask(text, **more)

    text = staticmethod(lambda answer: answer.choices[0].message.content)
    texts = staticmethod(Chat.texts)


@pytest.fixture
def chat(box, cdev, model):
    """Starts the daemon before a model that says this to a request without tools: `chat(turn)`."""
    def begin(plain=None, **config):
        made = model()
        made.plain = plain
        runs = Runs(box, cdev).begin(made, **config)
        return Chat(runs, cdev, made, max_retries=0)
    return begin


def no_session(box, talk):
    """Nothing was begun, and nothing is kept."""
    assert talk.runs.call("session/active")["sessions"] == [] and children(box) == []
    assert list((box.config / "projects").glob("*/*.jsonl")) == []


@pytest.mark.parametrize("shape", [Completions, Messages, Responses])
def test_the_model_alone_answers(box, chat, shape):
    # Of the user, and of the directory in which the daemon runs.
    hook = {"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": f"touch {box.root}/hooked"}]}]}}
    for folder in (box.config, box.home / ".claude"):
        folder.mkdir(exist_ok=True)
        (folder / "settings.json").write_text(json.dumps(hook))
        (folder / "CLAUDE.md").write_text("heron")
    (box.home / "CLAUDE.md").write_text("heron")
    talk = chat(say("A title"), chat_errands="answer")
    api = shape(talk)
    long = "Write a title for: " + "x" * 200_000
    answer = api.ask(long, extra_headers=TASK)
    assert api.text(answer) == "A title" and not hasattr(answer, "session_id")
    (request,) = talk.model.requests
    assert long in str(request["messages"]) and not request.get("tools") and "heron" not in str(request)
    assert "".join(api.texts(api.ask("again", stream=True, extra_headers=TASK))) == "A title"
    no_session(box, talk)
    assert not (box.root / "hooked").exists()


def test_nobody_answers_unless_that_is_configured(box, chat):
    talk = chat()
    with pytest.raises(openai.BadRequestError, match="chat_errands"):
        talk.ask(extra_headers=TASK)
    no_session(box, talk)
    assert talk.model.requests == []


def test_a_failure_is_one(box, chat):
    talk = chat(fail(400, "no heron today"), chat_errands="answer")
    with pytest.raises(openai.InternalServerError, match="no heron today"):
        talk.ask(extra_headers=TASK)
    with pytest.raises(openai.APIError, match="no heron today"):
        list(talk.ask(stream=True, extra_headers=TASK))
    with pytest.raises(openai.NotFoundError):
        talk.ask(model="gpt-4", extra_headers=TASK)
    (box.stubs / "claude").unlink()
    with pytest.raises(openai.InternalServerError, match="no program"):
        talk.ask(extra_headers=TASK)
    no_session(box, talk)
