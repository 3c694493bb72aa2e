"""What PyPI `schemathesis` makes of the OpenAPI document, sent over HTTP: requests as a route wants them, and others. No
request is answered with a failure of the daemon, every answer is as the document says, and nothing from outside the
workspace is in one."""
import json

import pytest
import schemathesis
from hypothesis import given, seed
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance, response_headers_conformance, response_schema_conformance, status_code_conformance)

from harness import http1
from harness.checks import bearer
from harness.generated import bounded
from harness.workspace import CANARY, SECRET, Folder

CHECKS = [not_a_server_error, content_type_conformance, response_headers_conformance, response_schema_conformance,
          status_code_conformance]
# Of one device in a minute are taken 600.
MOST_OF_TOKEN = 500


class Reader:
    """Sends what was made up: every other request without a token, and each from an address of its own as a proxy says it,
    for of one address only so many are taken in a minute. Hooks never come through a proxy."""

    def __init__(self, cdev):
        self.cdev, self.statuses, self.count, self.token = cdev, {}, 0, None

    def headers(self, path):
        if self.count % MOST_OF_TOKEN == 0:
            self.token = self.cdev.token(f"reader {self.count}")
        self.count += 1
        address = f"10.{self.count >> 16}.{self.count >> 8 & 255}.{self.count & 255}"
        return {**(bearer(self.token) if self.count % 2 else {}), **({} if "hooks" in path else {"X-Forwarded-For": address})}

    def check(self, case):
        response = case.call(
            base_url=f"http://127.0.0.1:{self.cdev.port}", headers=self.headers(case.operation.path), timeout=20)
        kind = f"{case.operation.label} {response.status_code}"
        self.statuses[kind] = self.statuses.get(kind, 0) + 1
        case.validate_response(response, checks=CHECKS)
        assert CANARY.encode() not in response.content and SECRET.encode() not in response.content
        assert self.cdev.process.poll() is None, self.cdev.story()


@pytest.fixture
def reader(cdev):
    cdev.start(trusted_proxies=["127.0.0.1"], permission_timeout_seconds=1)
    Folder(cdev.box).add(cdev)
    made = Reader(cdev)
    cdev.box.note("answers", lambda: json.dumps(made.statuses, indent=1))
    return made


def kinds(operation):
    """Where it takes nothing, nothing that it takes can be wrong. A part of a path may be any text; beside it only a token
    can be."""
    named = operation.path_parameters and operation.definition.raw.get("security")
    takes = operation.body or operation.query or named
    return [GenerationMode.POSITIVE, *([GenerationMode.NEGATIVE] if takes else [])]


def test_no_request_breaks_anything(cdev, reader):
    document = http1.ask(cdev.tcp, "GET", "/swagger/openapi.json").json
    operations = [found.ok() for found in schemathesis.openapi.from_dict(document).get_all_operations()]
    assert len(operations) == sum(len(item) for item in document["paths"].values())
    makers = [operation.as_strategy(generation_mode=mode) for operation in operations for mode in kinds(operation)]
    # What takes nothing is asked once.
    share = 10_000 // sum(len(kinds(operation)) for operation in operations if len(kinds(operation)) > 1)
    for number, cases in enumerate(makers):
        @seed(number)
        @bounded(6, share)
        @given(cases)
        def check(case):
            reader.check(case)

        check()
    assert http1.ask(cdev.tcp, "GET", "/health").status == 200
    assert {kind.rpartition(" ")[0] for kind in reader.statuses} == {operation.label for operation in operations}
