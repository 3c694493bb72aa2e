"""What each ceiling of a WebSocket answers."""
import json

import pytest

from harness import http1
from harness.approver import RpcError
from harness.checks import HEALTH
from harness.rawsocket import BINARY, TEXT, RawWebSocket


@pytest.fixture
def raw(bare, token):
    def make(**options):
        made = RawWebSocket(bare.port, token, **options)
        assert made.upgrade.status == 101, made.upgrade
        return made

    return make


def test_text_that_is_no_text(raw):
    with raw() as client:
        client.send(b"\xff\xfe")
        assert client.close_code()[0] == 1007


def test_a_frame_without_a_mask(raw):
    with raw() as client:
        client.send(json.dumps(HEALTH).encode(), masked=False)
        assert client.close_code()[0] == 1002


def test_a_frame_over_its_ceiling(raw):
    with raw() as client:
        client.send(b"", claimed=(2 << 20) + 1)
        assert client.close_code()[0] == 1009
    with raw() as client:
        client.send(b"", claimed=1 << 62)
        assert client.close_code()[0] == 1009


def test_a_message_in_pieces_over_its_ceiling(raw):
    with raw() as client:
        piece = b" " * (1 << 20)
        try:
            client.send(piece, final=False)
            for _ in range(3):
                client.send(piece, opcode=0, final=False)
        except (BrokenPipeError, ConnectionResetError):
            pass
        try:
            assert client.close_code()[0] == 1009
        except (ConnectionResetError, http1.Closed):
            pass


def test_a_frame_at_its_ceiling_is_read(raw):
    with raw() as client:
        note = json.dumps({**HEALTH, "params": {"padding": "x" * ((2 << 20) - 100)}}).encode()
        client.send(note, opcode=BINARY)
        opcode, payload = client.frame()
        assert opcode == BINARY and json.loads(payload)["id"] == 1


def test_a_reserved_bit_or_opcode(raw):
    for opcode in (3, 0x40 | TEXT):
        with raw() as client:
            client.send(b"{}", opcode=opcode)
            assert client.close_code()[0] == 1002


def test_a_ping_is_answered(raw):
    with raw() as client:
        client.send(b"hello", opcode=9)
        assert client.frame() == (10, b"hello")


@pytest.mark.parametrize(("headers", "statuses"), [
    ({"Sec-WebSocket-Version": "7"}, (400, 426)), ({"Sec-WebSocket-Key": None}, (400,)),
    ({"Sec-WebSocket-Key": "short"}, (400,)), ({"Upgrade": None}, (400, 426)),
])
def test_an_upgrade_that_is_wrong(bare, token, headers, statuses):
    with RawWebSocket(bare.port, token, headers=headers) as client:
        assert client.upgrade.status in statuses, client.upgrade


def test_six_hundred_messages_a_minute(bare, token):
    client = bare.approver("busy", token=token, initialize=False)
    note = json.dumps({"jsonrpc": "2.0", "method": "status/health"})
    try:
        for _ in range(650):
            client.send(note)
    except Exception:  # the library raises once the server has closed
        pass
    assert client.closed() == 1008


def test_a_batch_counts_its_entries(bare, token):
    client = bare.approver("busy", token=token, initialize=False)
    note = {"jsonrpc": "2.0", "method": "status/health"}
    client.send([note] * 599)
    client.send([note] * 10)
    assert client.closed() == 1008


def test_32_mib_of_one_device_in_a_minute(bare):
    """One that only views is one, too; with another token one goes on."""
    wall, other = (bare.local.call("token/create", {"name": name, "rights": "view"})["token"] for name in ("wall", "other"))
    note = json.dumps({**HEALTH, "params": {"padding": "x" * ((2 << 20) - 100)}}).encode()
    with RawWebSocket(bare.port, wall) as client:
        for _ in range((32 << 20) // len(note)):
            client.send(note)
            assert client.frame()[0] == TEXT
        try:
            client.send(note)
        except (BrokenPipeError, ConnectionResetError):
            pass
        assert client.close_code()[0] == 1008
    for token, status in ((wall, 429), (other, 200)):
        assert http1.ask(bare.tcp, "POST", "/rpc", note, {"Authorization": f"Bearer {token}"}).status == status


def test_a_list_of_responses_counts_once(bare, token):
    client = bare.approver("busy", token=token)
    answers = [{"request_id": f"none-{number}", "decision": "deny"} for number in range(1000)]
    for _ in range(3):
        try:
            client.call("permission/respond", {"responses": answers})
        except RpcError:
            pass
    client.settle()
    assert client.close_code is None


@pytest.mark.long
def test_a_client_that_does_not_read_is_let_go_and_the_others_are_served(bare, token, phone):
    with RawWebSocket(bare.port, token) as sleeper:
        session = bare.session()
        for _ in range(60):
            held = session.bash("ls", permission_mode="bypassPermissions")
            held.answer()
            session.ran(held, {"stdout": "x" * 900_000, "stderr": ""})
        phone.hear("claude_hook_tool_end", count=60, timeout=20)
        received = 0
        try:
            while data := sleeper.connection.socket.recv(1 << 20):
                received += len(data)
        except ConnectionResetError:
            pass
        assert received < 60 * 900_000
    phone.settle()
    assert phone.close_code is None
