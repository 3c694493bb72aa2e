"""Every method about repositories, called under both of its names, in a workspace of `world`."""
import subprocess

NAMES = ("git", "workspace/git")


def run(directory, *words):
    """Runs git by hand."""
    settings = ("user.name=Ann", "user.email=ann@example.org", "init.defaultBranch=main", "protocol.file.allow=always")
    options = [word for setting in settings for word in ("-c", setting)]
    return subprocess.run(["git", *options, *words], cwd=directory, check=True, capture_output=True, text=True).stdout


def use_git(world, workspace_id, directory):
    """`directory` is the workspace's, and has no repository yet."""

    def call(name, **params):
        return world.call(f"{prefix}/{name}", {"workspace_id": workspace_id, **params})

    for prefix in NAMES:
        made = call("init", branch="main")
        assert made["success"] is (prefix == NAMES[0]), made
        if made["success"]:
            run(directory, "config", "user.name", "Ann")
            run(directory, "config", "user.email", "ann@example.org")
            run(directory, "init", "-q", "--bare", directory.parent / "remote.git")
            run(directory, "remote", "add", "origin", directory.parent / "remote.git")
        file = f"{prefix.replace('/', '-')}.txt"
        (directory / file).write_text("one\n")
        assert {"path": file, "status": "?"} in call("status")["untracked"]
        assert call("get_status") == call("status")
        assert call("diff", path=file)["is_new"] is True
        assert call("stage", paths=[file]) == {"success": True, "staged": [file]}
        assert call("unstage", paths=[file])["success"] is True
        call("stage", paths=[file])
        committed = call("commit", message=f"add {file}", push=False)
        assert committed["success"] is True and committed["files_committed"] == 1, committed
        assert call("push", set_upstream=True)["message"] == "Pushed to origin/main"
        assert call("pull", rebase=False)["message"] == "Already up to date"
        assert call("fetch", remote="origin")["success"] is True
        (directory / file).write_text("two\n")
        assert call("discard", paths=[file])["discarded"] == [file]
        assert (directory / file).read_text() == "one\n"
        assert call("branches")["current"] == "main"
        assert call("checkout", branch="side", create=True)["branch"] == "side"
        assert call("checkout", branch="main")["success"] is True
        assert call("branch/delete", branch="side")["success"] is True
        assert call("log", limit=1)["commits"][0]["message"] == f"add {file}"
        assert file in call("show", sha="HEAD")["diff"]
        for verb in "apply", "drop", "pop":
            (directory / file).write_text("three\n")
            assert call("stash/push", message="aside")["success"] is True
            assert [stash["message"] for stash in call("stash/list")["stashes"]] == ["On main: aside"]
            assert call(f"stash/{verb}", index=0)["success"] is True
            if verb == "apply":
                call("discard", paths=[file])
                call("stash/drop")
        call("discard", paths=[file])
        assert call("merge/abort")["kind"] == "nothing_to_do"
