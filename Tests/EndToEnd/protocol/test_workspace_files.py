"""The files of a workspace, as a phone reads them."""
import base64
import os

import pytest

from harness.approver import RpcError
from harness.workspace import CANARY, SECRET, Folder


@pytest.fixture
def space(bare):
    return Folder(bare.box).add(bare)


def names(result):
    return [entry["name"] for entry in result["directories"] + result["files"]]


def test_a_listing(bare, phone, space):
    result = phone.call("workspace/files/list", {"workspace_id": space.id, "directory": "", "limit": 500, "offset": 0})
    assert names(result) == [
        ".git", "src", ".env", "README.md", "image.png", "leaf", "notes", "pipe", "way-out"]
    assert result["total_files"] == 7 and result["total_directories"] == 2
    assert result["pagination"] == {"limit": 500, "offset": 0, "has_more": False}
    src = result["directories"][1]
    assert (src["path"], src["file_count"], "is_sensitive" in src) == ("src", 3, False)
    files = {entry["name"]: entry for entry in result["files"]}
    assert files["README.md"]["git_tracked"] is True and files["image.png"]["git_tracked"] is False
    assert files["image.png"]["is_binary"] is True and files[".env"]["is_sensitive"] is True
    assert files["notes"]["is_symlink"] is True and files["notes"]["is_sensitive"] is True
    assert "out of the workspace" in files["way-out"]["obstacle"] and "a pipe" in files["pipe"]["obstacle"]
    first = phone.call("file/list", {"limit": 3})
    assert names(first) == [".git", "src", ".env"] and first["pagination"]["has_more"] is True
    assert names(phone.call("file/list", {"directory": "src"})) == ["deep", "main.ts", "up"]


def test_content(bare, phone, space):
    result = phone.call("workspace/file/get", {"workspace_id": space.id, "path": "src/main.ts"})
    text = (space.path / "src" / "main.ts").read_text()
    assert result == {"path": "src/main.ts", "content": text, "encoding": "utf-8", "truncated": False, "size": len(text)}
    image = phone.call("file/get", {"path": "image.png"})
    assert image["encoding"] == "base64"
    assert base64.b64decode(image["content"]) == (space.path / "image.png").read_bytes()
    (space.path / "long").write_text("ü" * 100_000)
    cut = phone.call("file/get", {"path": "long", "max_size_kb": 1})
    assert (cut["content"], cut["truncated"], cut["size"], cut["file_size"]) == ("ü" * 512, True, 1024, 200_000)


@pytest.mark.parametrize("path, code", [
    ("leaf", -32022), ("way-out/f", -32022), ("src/up/f", -32022), ("pipe", -32021), ("src", -32021), ("none", -32020),
    ("../space-outside/f", -32602), ("/etc/passwd", -32602), ("a\0b", -32602), ("", -32602),
])
def test_what_is_not_read(bare, phone, space, path, code):
    for by in phone, bare.local:
        with pytest.raises(RpcError) as error:
            by.call("file/get", {"path": path})
        assert error.value.code == code and CANARY not in error.value.message


@pytest.mark.parametrize("path", [".env", "notes", ".git/config"])
def test_sensitive_content_needs_the_right_to_drive(bare, phone, space, path):
    with pytest.raises(RpcError) as error:
        phone.call("file/get", {"path": path})
    assert error.value.data == {"refused": "drive"} and "drive rights" in error.value.message
    driver = bare.approver("desk", token=bare.local.call("token/create", {"name": "desk", "rights": "drive"})["token"])
    assert driver.call("file/get", {"path": path})["content"]
    if path != ".git/config":
        assert driver.call("file/get", {"path": path})["content"] == SECRET


def test_the_only_workspace_is_meant_where_none_is_said(bare, phone, space):
    other = Folder(bare.box, "other").add(bare)
    with pytest.raises(RpcError) as error:
        phone.call("file/list")
    assert space.id in error.value.message and other.id in error.value.message


def test_changes_of_a_folder_are_told(bare, phone, space):
    watch = phone.call("workspace/files/watch", {"workspace_id": space.id, "directory": "src"})
    assert watch["polled"] is False
    (space.path / "src" / "new.txt").write_text("x")
    phone.hear("file_changed", path="src/new.txt", change="created", workspace_id=space.id)
    with open(space.path / "src" / "main.ts", "a") as file:
        file.write("more")
    phone.hear("file_changed", path="src/main.ts", change="modified")
    os.rename(space.path / "src" / "new.txt", space.path / "src" / "newer.txt")
    phone.hear("file_changed", path="src/newer.txt", change="renamed", old_path="src/new.txt")
    (space.path / "src" / "newer.txt").unlink()
    phone.hear("file_changed", path="src/newer.txt", change="deleted")
    assert phone.call("workspace/files/unwatch", {"workspace_id": space.id, "directory": "src"})["existed"] is True


def test_a_watch_ends_with_its_workspace(bare, phone, space):
    other = Folder(bare.box, "other").add(bare)
    for place in (space, other):
        phone.call("workspace/files/watch", {"workspace_id": place.id, "directory": "src"})
    bare.local.call("workspace/remove", {"workspace_id": space.id})
    (space.path / "src" / "later.txt").write_text("x")
    (other.path / "src" / "later.txt").write_text("x")
    phone.hear("file_changed", path="src/later.txt", workspace_id=other.id)
    # Both are told half a second after they changed.
    (other.path / "src" / "last.txt").write_text("x")
    phone.hear("file_changed", path="src/last.txt", workspace_id=other.id)
    assert phone.heard("file_changed", workspace_id=space.id) == []
