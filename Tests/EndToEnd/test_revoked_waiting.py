"""A device is revoked while what it asked for waits: once that is confirmed, nothing of it is done."""
import subprocess
import threading
import time

from harness import http1
from harness.checks import bearer
from harness.waiting import until


def asked(cdev, token, method, **params):
    """Sends a call on a connection of its own, which the revocation closes."""
    def send():
        try:
            http1.ask(cdev.tcp, "POST", "/rpc", {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, bearer(token), 30)
        except (OSError, AssertionError, ValueError):
            pass

    thread = threading.Thread(target=send)
    thread.start()
    return thread


def script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_no_agent_is_started_behind_a_slow_shell(box, cdev):
    began, go, agent = (box.root / name for name in ("began", "go", "agent-started"))
    shell = script(box.root / "slowsh", f'touch {began}\nwhile [ ! -e {go} ]; do sleep 0.05; done\nexec /bin/sh "$@"')
    program = script(box.root / "fakeclaude",
                     f'[ "$1" = --version ] && {{ echo "2.1.330 (Claude Code)"; exit; }}\ntouch {agent}\nsleep 30')
    cdev.environment = {"SHELL": str(shell)}
    cdev.start(claude=str(program))
    workspace = cdev.local.call("workspace/add", {"path": str(box.project)})["id"]
    call = asked(cdev, cdev.token("lost", rights="drive"), "session/start", workspace_id=workspace, prompt="go")
    until(began.exists, lambda: "the user's shell to be asked")
    cdev.local.call("token/revoke", {"name": "lost"})
    go.touch()
    until(lambda: cdev.local.call("session/active")["sessions"] == [], lambda: "the session to end", 20)
    call.join()
    assert not agent.exists()


def test_no_change_of_a_repository_waits_out_a_revocation(box, cdev):
    cdev.start()
    repository = box.project

    def git(*words):
        subprocess.run(["git", *words], cwd=repository, env=box.env(), check=True, capture_output=True)

    for words in (["init", "-qb", "main"], ["config", "user.name", "a"], ["config", "user.email", "a@b"]):
        git(*words)
    (repository / "f").write_text("1")
    git("add", "f")
    git("commit", "-qm", "one")
    (repository / "f").write_text("2")
    git("add", "f")
    (repository / "f").write_text("precious")
    began, go = box.root / "began", box.root / "go"
    script(repository / ".git/hooks/pre-commit", f"touch {began}\nwhile [ ! -e {go} ]; do sleep 0.05; done")
    workspace = cdev.local.call("workspace/add", {"path": str(repository)})["id"]
    mine = threading.Thread(
        target=lambda: cdev.local.call("git/commit", {"workspace_id": workspace, "message": "two"}))
    mine.start()
    until(began.exists, lambda: "the hook of the commit")
    theirs = asked(cdev, cdev.token("lost", rights="drive"), "git/discard", workspace_id=workspace, paths=["f"])
    time.sleep(0.3)
    cdev.local.call("token/revoke", {"name": "lost"})
    go.touch()
    mine.join()
    theirs.join()
    assert (repository / "f").read_text() == "precious"
