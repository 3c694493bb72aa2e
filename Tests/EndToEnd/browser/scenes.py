"""Requests worth looking at, one of each kind."""
import json

COMMAND = "npm test -- --watch=false && npm run build 2>&1 | tail -20"
QUESTIONS = {"questions": [
    {"question": "Which database should the service use?", "header": "Database", "multiSelect": False, "options": [
        {"label": "SQLite", "description": "One file, nothing to run."},
        {"label": "PostgreSQL", "description": "Several writers, needs a server."}]},
    {"question": "Which checks should run on each push?", "header": "Checks", "multiSelect": True, "options": [
        {"label": "Unit tests", "description": "About a minute."},
        {"label": "Browser tests", "description": "About five minutes."}]}]}
PLAN = "# Move to SQLite\n\n1. Add the driver\n2. Write the **migration**\n\n> Nothing is deleted.\n\n```sh\nmake migrate\n```\n"
ISSUE = {"repository": "acme/api", "issue": {"title": "Time-outs on upload", "labels": ["bug", "uploads"], "priority": 2},
         "draft": False, "body": "Uploads over 20 MB end after 30 s.\nSee the log of Tuesday."}


def edit(session):
    path = session_file(session, "retry.py", "import time\n\n\ndef retry(call):\n    for _ in range(3):\n        try:\n            return call()\n"
                                            "        except OSError:\n            time.sleep(1)\n")
    return session.call("Edit", {"file_path": path, "old_string": "    for _ in range(3):\n", "new_string": "    for attempt in range(5):\n",
                                 "replace_all": False})


def write(session, lines=60):
    text = "\n".join(f"line {number} of the file" for number in range(lines))
    return session.call("Write", {"file_path": f"{session.cwd}/notes.md", "content": text})


def session_file(session, name, text):
    path = f"{session.cwd}/{name}"
    with open(path, "w") as file:
        file.write(text)
    return path


def mcp(session):
    return session.call("mcp__tracker__create_issue", json.loads(json.dumps(ISSUE)))


def fetch(session):
    return session.call("WebFetch", {"url": "https://docs.example.com/guide?page=2", "prompt": "How are retries configured?"})


def question(session):
    return session.call("AskUserQuestion", QUESTIONS, event="PermissionRequest")


def plan(session):
    return session.call("ExitPlanMode", {"plan": PLAN}, event="PermissionRequest")
