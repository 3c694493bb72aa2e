"""Statements that several tests make in the same words."""
import re

import pytest

from .approver import RpcError
from .waiting import until

WHOLE_SECONDS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
HEALTH = {"jsonrpc": "2.0", "id": 1, "method": "status/health"}

# Exit codes of the command.
OTHER, USAGE, NO_DAEMON, REFUSED = 1, 2, 3, 4


def includes(value, **fields):
    """`value` has at least these fields with these values."""
    wrong = {key: (value.get(key, "<absent>"), wanted) for key, wanted in fields.items() if value.get(key) != wanted}
    assert not wrong, f"got, wanted: {wrong} in {value}"
    return value


def no_card(phone, **fields):
    """Nothing was asked so far, as seen after a round trip."""
    phone.settle()
    assert phone.heard("pty_permission", **fields) == []


def delivered(run, text="done"):
    """The headless client left by itself with this result."""
    result = run.finish()
    assert result and result.get("result") == text, run.story()


def refused(phone, method, params, code):
    """The method answers with an error of this code, which says something."""
    with pytest.raises(RpcError) as error:
        phone.call(method, params)
    assert error.value.code == code, error.value
    assert error.value.message
    return error.value


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def error_of(response, status):
    """An error answer of this status, which allows nothing."""
    assert response.status == status, response
    assert b"allow" not in response.body.lower().replace(b"allowed", b"")
    return response


def fails(cdev, codes, *words, **options):
    """A subcommand that must fail with this code (or one of these) and one line on stderr, which is returned."""
    done = cdev.run(*words, **options)
    assert done.returncode in (codes if isinstance(codes, tuple) else (codes,)), f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def held_id(cdev, held):
    """The `request_id` of a held call, as the command lists it."""
    def find():
        requests = cdev.json("pending")["requests"]
        return next((r["request_id"] for r in requests if r["tool_use_id"] == held.tool_use_id), None)

    return until(find, "the request to be listed")
