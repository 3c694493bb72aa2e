"""The daemon, as clients of OpenAI's API see it."""
import json

import anthropic
import openai

from . import http1


class Chat:
    def __init__(self, runs, cdev, model=None, rights="drive", **options):
        self.runs, self.cdev, self.model = runs, cdev, model
        self.token = runs.call("token/create", name=f"chat-{rights}", rights=rights)["token"]
        self.client = openai.OpenAI(base_url=f"http://{cdev.tcp[0]}:{cdev.tcp[1]}/v1", api_key=self.token, **options)

    def ask(self, text="go", **more):
        more.setdefault("model", "claude")
        return self.client.chat.completions.create(messages=[{"role": "user", "content": text}], **more)

    def http(self, method, path, body=b""):
        fields = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        return http1.ask(self.cdev.tcp, method, path, body, fields, timeout=60)

    @staticmethod
    def frames(response):
        """The events of a stream, without its comments."""
        lines = [line.removeprefix("data: ") for line in response.body.decode().splitlines() if line.startswith("data: ")]
        return [line if line == "[DONE]" else json.loads(line) for line in lines]

    @staticmethod
    def texts(stream):
        return [chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices]


class Messages:
    """The same turns, by Anthropic's own client."""
    path, errors = "/v1/messages", anthropic

    def __init__(self, talk, **options):
        options.setdefault("api_key", talk.token)
        self.client = anthropic.Anthropic(base_url=f"http://{talk.cdev.tcp[0]}:{talk.cdev.tcp[1]}", **options)

    def ask(self, text="go", session=None, **more):
        more.setdefault("model", "claude")
        return self.client.messages.create(
            max_tokens=100, messages=[{"role": "user", "content": text}], metadata={"session_id": session} if session else {}, **more)

    @staticmethod
    def body(text, **more):
        return {"messages": [{"role": "user", "content": text}], **more}

    @staticmethod
    def text(answer):
        return answer.content[0].text

    @staticmethod
    def texts(stream):
        return (event.delta.text for event in stream if event.type == "content_block_delta")

    @staticmethod
    def code(error):
        return error.error_code


class Responses:
    """The same turns in the shape of OpenAI's Responses API, by its own client."""
    path, errors = "/v1/responses", openai

    def __init__(self, talk, **options):
        options.setdefault("api_key", talk.token)
        self.client = openai.OpenAI(base_url=str(talk.client.base_url), **options)

    def ask(self, text="go", session=None, **more):
        more.setdefault("model", "claude")
        return self.client.responses.create(input=text, metadata={"session_id": session} if session else {}, **more)

    @staticmethod
    def body(text, **more):
        return {"input": text, **more}

    @staticmethod
    def text(answer):
        return answer.output_text

    @staticmethod
    def texts(stream):
        return (event.delta for event in stream if event.type == "response.output_text.delta")

    @staticmethod
    def code(error):
        return error.code
