"""The description of the HTTP side: it is OpenAPI, and the daemon does what it says."""
import json

import openapi_spec_validator

from harness import http1, openrpc


def test_it_is_openapi(bare):
    answer = http1.ask(bare.tcp, "GET", "/swagger/openapi.json")
    assert answer.status == 200 and answer.headers["content-type"] == "application/json"
    document = answer.json
    openapi_spec_validator.OpenAPIV31SpecValidator(document).validate()
    known = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert set(openrpc.references(document)) == known
    assert {"/rpc", "/ws", "/health", "/api/rpc/discover", "/api/auth/exchange", "/api/pair/info", "/api/hooks/{name}",
            "/hooks/claude", "/a", "/", "/swagger/", "/swagger/openapi.json"} <= set(document["paths"])


def test_what_needs_a_token_says_so(bare):
    document = http1.ask(bare.tcp, "GET", "/swagger/openapi.json").json
    for path, item in document["paths"].items():
        operation = item.get("get")
        if operation is None or path in ("/ws", "/acp"):
            continue
        status = http1.ask(bare.tcp, "GET", path).status
        assert (status in (401, 403)) == (operation["security"] == [{"token": []}] or "Unix socket alone" in
                                          operation["description"]), f"{path}: {status}"


def test_answers_are_as_described(bare):
    document = http1.ask(bare.tcp, "GET", "/swagger/openapi.json").json
    token = {"Authorization": f"Bearer {bare.token('reader')}"}
    for path in "/health", "/api/pair/info", "/api/rpc/discover", "/swagger/openapi.json":
        answer = http1.ask(bare.tcp, "GET", path, headers=token)
        described = document["paths"][path]["get"]["responses"][str(answer.status)]["content"]
        schema = described[answer.headers["content-type"]]["schema"]
        assert openrpc.faults(answer.json, schema, document) == [], path
    call = {"jsonrpc": "2.0", "id": 1, "method": "status/health"}
    for body in call, [call, call], {**call, "method": "no such"}:
        answer = http1.ask(bare.tcp, "POST", "/rpc", body, token)
        schema = document["paths"]["/rpc"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
        assert openrpc.faults(answer.json, schema, document) == [], json.dumps(body)
    assert http1.ask(bare.tcp, "POST", "/rpc", {"jsonrpc": "2.0", "method": "status/health"}, token).status == 204
