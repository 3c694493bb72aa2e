"""`cdev workspaces`, and the right to drive."""
import pytest

from harness.checks import OTHER, REFUSED, USAGE, fails, refused
from harness.waiting import until


@pytest.fixture
def bare(cdev):
    return cdev.start()


def test_a_session_makes_one_and_people_change_it(bare, session):
    until(lambda: bare.json("workspaces")["workspaces"], lambda: "a workspace")
    (seen,) = bare.json("workspaces")["workspaces"]
    assert (seen["path"], seen["origin"]) == (str(bare.box.project), "seen")
    listing = bare.ok("workspaces")
    assert str(bare.box.project) in listing and " seen " in listing
    other = bare.box.root / "other"
    assert "no directory" in fails(bare, OTHER, "workspaces", "add", str(other))
    assert "Second added" in bare.ok("workspaces", "add", str(other), "--create", "--name", "Second")
    assert other.is_dir() and "Second" in bare.ok("workspaces")
    for selector in ("Second", seen["id"][:9]):
        assert "removed" in bare.ok("workspaces", "remove", selector)
    assert "no workspaces" in bare.ok("workspaces") and other.is_dir()
    assert "no workspace" in fails(bare, OTHER, "workspaces", "remove", "Second")


def test_a_relative_path_is_of_the_callers_directory(bare):
    added = bare.json("workspaces", "add", ".", cwd=bare.box.project)
    assert added["path"] == str(bare.box.project) and "note" not in added


def test_the_home_directory_is_taken_with_a_note(bare):
    assert "Note: this is your home directory" in bare.ok("workspaces", "add", str(bare.box.home))
    for path in ("/", str(bare.box.root), str(bare.box.cdev_home)):
        assert fails(bare, OTHER, "workspaces", "add", path)


def test_who_may_drive_is_told_what_it_means(bare):
    done = bare.run("token", "create", "desk", "--rights", "drive")
    assert done.returncode == 0 and "as good as a shell" in done.stderr and "shell" not in done.stdout
    quiet = bare.run("token", "create", "tv", "--rights", "view")
    assert "shell" not in quiet.stderr
    assert "approve, drive or view" in fails(bare, USAGE, "token", "create", "x", "--rights", "all")
    devices = {device["name"]: device for device in bare.json("devices")["devices"]}
    assert devices["desk"]["access"] == "drive" and "drive" in devices["desk"]["rights"]
    driver = bare.approver("desk", token=done.stdout.strip())
    assert driver.call("workspace/add", {"path": str(bare.box.project)})["origin"] == "added"
    assert driver.hello["capabilities"]["workspace"]["add"] is True


def test_who_may_only_answer_drives_nothing(bare):
    refused(bare.approver("phone"), "workspace/add", {"path": str(bare.box.project)}, -32600)


def test_a_process_inside_an_agent_drives_nothing(bare):
    inside = {"CLAUDECODE": "1"}
    message = fails(bare, REFUSED, "workspaces", "add", str(bare.box.project), env=inside)
    assert "never" in message and bare.json("workspaces")["workspaces"] == []
    assert "no workspaces" in bare.ok("workspaces", env=inside)
