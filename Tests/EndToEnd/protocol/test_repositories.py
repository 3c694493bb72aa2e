"""The repositories of workspaces, while others move directories and edit files."""
import os

import pytest

from harness.checks import refused
from harness.git_calls import run


@pytest.fixture
def repository(bare):
    """`par/w`, with one file that is committed."""
    return made(bare.box.root / "par" / "w", "of the workspace")


@pytest.fixture
def workspace(bare, repository):
    return bare.local.call("workspace/add", {"name": "w", "path": str(repository)})["id"]


def made(path, subject):
    path.mkdir(parents=True)
    run(path, "init", "-q", "-b", "main")
    run(path, "config", "user.name", "Ann")
    run(path, "config", "user.email", "ann@example.org")
    (path / "f").write_text("one\n")
    run(path, "add", "f")
    run(path, "commit", "-q", "-m", subject)
    return path


@pytest.mark.parametrize("moved", ["parent", "itself"])
def test_git_does_not_follow_a_link_in_the_place_of_a_workspace(bare, repository, workspace, moved):
    driving = bare.approver("d", token=bare.local.call("token/create", {"name": "d", "rights": "drive"})["token"])
    other = made(bare.box.root / "elsewhere" / "w", "of somebody else")
    (other / "f").write_text("two\n")
    (other / "new").write_text("new\n")
    place, target = (repository.parent, other.parent) if moved == "parent" else (repository, other)
    os.rename(place, place.with_name(place.name + ".old"))
    place.symlink_to(target)
    before = run(other, "status", "-s", "-b"), run(other, "log", "--all", "--format=%H")
    samples = {"string": "HEAD", "array": ["f"], "boolean": True, "integer": 0}
    methods = [m for m in driving.call("rpc.discover")["methods"] if m["name"].startswith("workspace/git/")]
    assert len(methods) > 12
    for method in methods:
        params = {p["name"]: samples[p["schema"]["type"]] for p in method["params"] if p["required"]}
        error = refused(driving, method["name"], {**params, "workspace_id": workspace}, -32031)
        assert "a link has taken its place" in error.message, method["name"]
    assert (run(other, "status", "-s", "-b"), run(other, "log", "--all", "--format=%H")) == before
    (listed,) = [each for each in driving.call("workspace/list", {"include_git": True})["workspaces"] if each["id"] == workspace]
    assert "of somebody else" not in str(listed) and "a link has taken its place" in str(listed), listed


def test_what_a_tool_wrote_is_told(bare, phone, repository, workspace):
    """Nothing in git's own directory changes by it."""
    session = bare.session(cwd=repository)
    session.start()
    phone.call("workspace/subscribe", {"workspace_id": workspace})
    phone.call("git/status", {"workspace_id": workspace})
    phone.hear("git_status_changed", workspace_id=workspace, unstaged_count=0)
    edit = {"file_path": str(repository / "f"), "old_string": "one", "new_string": "two"}
    for text in "two\n", "three\n":
        held = session.call("Edit", edit)
        phone.respond(phone.card(tool_use_id=held.tool_use_id), "allow")
        assert held.decision() == "allow"
        told = len(phone.heard("git_status_changed"))
        (repository / "f").write_text(text)
        session.ran(held)
        # Told again though the list of changes is the same: the open diff of a page is of the first edit.
        assert phone.hear("git_status_changed", count=told + 1)["changed_files"] == ["f"]


def test_another_branch_is_told_whoever_checked_it_out(bare, repository, workspace, phone):
    phone.call("workspace/subscribe", {"workspace_id": workspace})
    phone.call("git/status", {"workspace_id": workspace})
    phone.hear("git_status_changed", workspace_id=workspace)
    run(repository, "checkout", "-q", "-b", "next")
    told = phone.hear("git_branch_changed", workspace_id=workspace)
    assert (told["from_branch"], told["to_branch"]) == ("main", "next")
