"""Completion in the real shells, and manual pages in the real man."""
import os
import pty
import re
import select
import shutil
import subprocess
import time

import pytest

from harness.checks import USAGE, fails, held_id
from harness.waiting import PATIENCE


@pytest.fixture
def bare(cdev):
    return cdev.start(no_approver="hold")


SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], 'eval "$(cdev completion bash)"'),
    "zsh": (["zsh", "-f", "-i"], "autoload -U compinit && compinit -u -d $HOME/z && source <(cdev completion zsh)"),
    # Its completions are asked for without a terminal.
    "fish": (["fish", "--no-config"], "cdev completion fish | source"),
}


def completed(cdev, shell, line):
    """The line that a shell makes of this one where Tab is pressed: the whole line is echoed by `cdev`'s stand-in."""
    words, setup = SHELLS[shell]
    if not shutil.which(words[0]):
        pytest.skip(f"{shell} is not here")
    env = cdev.box.env(PATH=f"{cdev.programs}:{os.environ['PATH']}", TERM="xterm", PS1="ready> ")
    if shell == "fish":
        script = f"{setup}; complete -C '{line}'"
        done = subprocess.run([*words, "-c", script], env=env, capture_output=True, text=True, timeout=30 * PATIENCE)
        return "".join(f"[{line.rsplit(' ', 1)[0]} {one}\n" for one in done.stdout.splitlines())
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        words, env=env, cwd=cdev.box.project, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
    os.close(theirs)
    said = b""

    def hear(pattern, seconds=20):
        nonlocal said
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([ours], [], [], 0.2)[0]:
                piece = os.read(ours, 65536)
                said += piece
            if re.search(pattern, said):
                return True
        return False

    try:
        os.write(ours, setup.encode() + b"; echo set''up\n")
        assert hear(rb"setup"), said
        time.sleep(0.5)
        said = b""
        os.write(ours, line.encode() + b"\t")
        time.sleep(2)
        # Quoted and given to `echo`, the line is printed as the shell has completed it.
        os.write(ours, b"'\x01echo '[\n")
        hear(rb"\n\[[^\n]*\n", 10)
        return said.decode(errors="replace")
    finally:
        process.kill()
        process.wait(5 * PATIENCE)
        os.close(ours)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_commands(cdev, shell):
    assert re.search(r"\[cdev explain", completed(cdev, shell, "cdev expl"))


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_the_id_of_an_open_request(bare, session, shell):
    held = session.bash("touch a")
    request = held_id(bare, held)
    assert f"[cdev allow {request[:8]}" in completed(bare, shell, "cdev allow ")
    assert not held.answered()


@pytest.mark.parametrize(("words", "there", "absent"), [
    (("",), {"allow", "config", "help", "token"}, {"config get", "__complete"}),
    (("config", ""), {"get", "set", "edit"}, {"allow"}),
    (("config", "set", "ga"), {"gate"}, {"port"}),
    (("config", "set", "gate", ""), {"always", "auto", "prompt", "tool-call"}, set()),
    (("log", "--"), {"--follow", "--json", "--help"}, set()),
    (("rules", ""), {"revoke"}, set()),
    (("completion", ""), {"bash", "zsh", "fish"}, set()),
    (("nonsense", ""), set(), {"allow"}),
])
def test_candidates(cdev, words, there, absent):
    found = {line.split("\t")[0] for line in cdev.ok("__complete", *words).splitlines()}
    assert there <= found and not absent & found, found


def test_hostile_names_are_no_candidates(bare):
    bare.local.call("token/create", {"name": "plain"})
    bare.local.call("token/create", {"name": "$(touch x)"})
    assert bare.ok("__complete", "token", "revoke", "").split() == ["plain"]


def test_a_shell_that_is_none(cdev):
    assert "bash, fish and zsh" in fails(cdev, USAGE, "completion", "tcsh")


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not here")
def test_manual_pages(cdev, tmp_path):
    cdev.ok("man", "--to", tmp_path)
    commands = re.findall(r"(?m)^  (\S+(?: \S+)*?) {2,}", cdev.ok("--help"))
    names = {"cdev.1"} | {f"cdev-{name.replace(' ', '-')}.1" for name in commands}
    assert {path.name for path in tmp_path.iterdir()} == names and len(names) > 25
    for path in tmp_path.iterdir():
        made = subprocess.run(["groff", "-man", "-Tutf8", "-ww", str(path)], capture_output=True, text=True)
        assert made.returncode == 0 and not made.stderr, (path, made.stderr)
        shown = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", made.stdout)
        assert "EXIT STATUS" in shown
        if path.name == "cdev-rules-revoke.1":
            assert "cdev rules revoke ID" in shown
    assert cdev.ok("man", "allow").startswith(".TH")
    fails(cdev, USAGE, "man", "alow")


def test_help_of_a_command(cdev):
    assert cdev.ok("help", "allow") == cdev.ok("allow", "--help")
    assert cdev.ok("help") == cdev.ok("--help")
    assert "did you mean `status`" in fails(cdev, USAGE, "stauts")
    assert "did you mean `--follow`" in fails(cdev, USAGE, "pending", "--folow")
    assert "did you mean `allow`" in fails(cdev, USAGE, "help", "alow")
