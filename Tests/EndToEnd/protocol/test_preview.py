"""What an approver is shown of a call before it is allowed: differences against the disk, and plans."""
import os

import pytest

from harness import http1
from harness.approver import RpcError
from harness.checks import includes, refused


def preview(phone, card):
    return includes(phone.call("permission/preview", {"request_id": card["request_id"]}), request_id=card["request_id"])


def shown(hunks):
    return [line["op"] + line["text"] for hunk in hunks for line in hunk["lines"]]


@pytest.fixture
def ask(phone, session):
    """Asks about a call of a tool and returns its card."""
    def make(tool, tool_input, **options):
        return phone.card(tool_use_id=session.call(tool, tool_input, **options).tool_use_id)

    return make


@pytest.fixture
def text(box):
    path = box.project / "a.txt"
    path.write_text("".join(f"line {number}\n" for number in range(1, 21)))
    return path


def test_an_edit(phone, ask, text):
    card = ask("Edit", {"file_path": str(text), "old_string": "line 10\n", "new_string": "ten\nand a half\u202e\n"})
    found = includes(preview(phone, card), kind="diff", path=str(text), added=2, removed=1, more=0)
    (hunk,) = includes(found)["hunks"]
    includes(hunk, old_start=7, new_start=7)
    assert shown([hunk]) == [" line 7", " line 8", " line 9", "-line 10", "+ten", "+and a half\\u{202E}", " line 11",
                             " line 12", " line 13"]


def test_several_edits_and_a_whole_file(phone, ask, text):
    edits = [{"old_string": "line 1\n", "new_string": "one\n"}, {"old_string": "line 20", "new_string": "twenty"}]
    found = preview(phone, ask("MultiEdit", {"file_path": str(text), "edits": edits}))
    assert [hunk["old_start"] for hunk in found["hunks"]] == [1, 17]
    found = preview(phone, ask("Write", {"file_path": str(text), "content": "only\n"}))
    includes(found, kind="diff", added=1, removed=20)
    found = preview(phone, ask("Write", {"file_path": str(text.parent / "new"), "content": "a\nb"}))
    assert shown(found["hunks"]) == ["+a", "+b"] and found["hunks"][0]["lines"][1]["no_newline"] is True


@pytest.mark.parametrize(("old", "more", "word"), [
    ("nowhere", {}, "not in the file"), ("line", {}, "20 times"), ("", {}, "old_string is empty"),
])
def test_an_edit_that_will_fail_says_so(phone, ask, text, old, more, word):
    found = preview(phone, ask("Edit", {"file_path": str(text), "old_string": old, "new_string": "x", **more}))
    includes(found, kind="text", text="x", path=str(text))
    assert word in found["reason"]


def test_what_is_not_read(box, phone, ask, text):
    outside = box.root / "outside.txt"
    outside.write_text("secret of others\n")
    (box.project / "link").symlink_to(outside)
    (box.project / ".env").write_text("KEY=secret\n")
    (box.project / "env").symlink_to(".env")
    (box.project / "large").write_text("secret\n" * 200_000)
    (box.project / "binary").write_bytes(b"secret\xff")
    os.mkfifo(box.project / "pipe")
    for path in (outside, "/etc/passwd", *(box.project / name for name in ("link", ".env", "env", "large", "binary", "pipe", "."))):
        found = preview(phone, ask("Write", {"file_path": str(path), "content": "new"}))
        includes(found, kind="text", text="new")
        assert found["reason"] and "secret" not in str(found), path


def test_nothing_is_read_for_who_is_not_known(bare, phone, text):
    stranger = bare.session()
    stranger.door = bare.tcp
    held = stranger.call("Write", {"file_path": str(text), "content": "new"}, request=False)
    card = includes(phone.card(tool_use_id=held.tool_use_id), unverified=True)
    found = includes(preview(phone, card), kind="text", text="new")
    assert "any process" in found["reason"]
    phone.respond(card, "deny")


def test_a_plan(phone, session):
    plan = "# Plan\n\n1. *do* <script>it</script>\n2. [there](https://x) ![p](https://y/z.png)\n"
    session.call("ExitPlanMode", {"plan": plan}, event="PermissionRequest", permission_mode="plan")
    found = includes(preview(phone, phone.card(tool_name="ExitPlanMode")), kind="plan")
    kinds = []

    def walk(node):
        kinds.append(node["type"])
        for child in node.get("children", []):
            walk(child)

    walk(found["document"])
    assert kinds[0] == "document" and {"heading", "list", "item", "emph", "link"} <= set(kinds)
    assert "image" not in kinds and "html_inline" not in kinds
    assert "<script>" in str(found) and "https://y/z.png" in str(found)


def test_a_huge_difference_fits_a_frame(phone, ask, text):
    card = ask("Write", {"file_path": str(text), "content": "".join(f"{n} \u202e\n" for n in range(100_000))})
    found = preview(phone, card)
    assert found["added"] == 100_000 and found["more"] > 0
    assert len(shown(found["hunks"])) + found["more"] == 100_020


def test_what_has_no_preview(bare, phone, ask, token):
    card = ask("Bash", {"command": "touch a"})
    refused(phone, "permission/preview", {"request_id": card["request_id"]}, -32602)
    refused(phone, "permission/preview", {}, -32602)
    with pytest.raises(RpcError) as unknown:
        phone.call("permission/preview", {"request_id": "r_none"})
    assert unknown.value.code == -32603
    phone.respond(card, "deny")
    with pytest.raises(RpcError):
        phone.call("permission/preview", {"request_id": card["request_id"]})


def test_over_http_too(bare, phone, ask, token, text):
    card = ask("Write", {"file_path": str(text), "content": "x"})
    message = {"jsonrpc": "2.0", "id": 1, "method": "permission/preview", "params": {"request_id": card["request_id"]}}
    headers = {"Authorization": f"Bearer {token}"}
    includes(http1.ask(bare.tcp, "POST", "/rpc", message, headers).json["result"], kind="diff")
