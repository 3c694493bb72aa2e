"""What the log holds, which people send along with a report: ids, names of tools and paths, and nothing that was said."""
from harness import http1
from harness.checks import bearer


def test_the_log_holds_nothing_that_was_said(cdev, box):
    cdev.start("--log-level", "debug", no_approver="hold")
    token = cdev.token("phone")
    phone = cdev.approver("phone", token=token)
    session = cdev.session()
    session.start()
    session.tell("UserPromptSubmit", prompt="secret-prompt")
    allowed, denied = session.bash("touch secret-input-1"), session.bash("touch secret-input-2")
    phone.respond(phone.card(tool_use_id=allowed.tool_use_id), "allow", scope="session",
                  updated_input={"command": "touch secret-change", "description": "secret-description"})
    phone.respond(phone.card(tool_use_id=denied.tool_use_id), "deny", message="secret-message")
    assert (allowed.decision(), denied.decision()) == ("allow", "deny")
    session.ran(allowed, {"stdout": "secret-output", "stderr": ""})
    session.tell("Stop", last_assistant_message="secret-answer")
    # What is refused is not told either.
    http1.ask(cdev.tcp, "POST", "/rpc", {"jsonrpc": "2.0", "id": 1, "method": "secret-method"}, bearer("secret-token"))
    http1.ask(cdev.tcp, "GET", "/health?secret-query=1")
    http1.ask(cdev.socket, "POST", "/hooks/claude", b'{"secret-json": ')
    http1.ask(cdev.socket, "POST", "/rpc", {"jsonrpc": "2.0", "id": 1, "method": "permission/respond",
                                            "params": {"request_id": "r_x", "decision": "secret-decision"}})
    # Once this has ended, all of it has been written.
    cdev.stop()
    log = "".join(path.read_text() for path in box.cdev_home.glob("server.log*"))
    assert session.id in log and "Bash" in log, "it says something"
    assert "secret" not in log and token not in log, [line for line in log.splitlines() if "secret" in line or token in line]
