"""Transcripts as Claude Code writes them, made up line by line."""
import json
import uuid


class Transcript:
    """The file of one session in the sandbox's Claude configuration, or of one of its subagents."""

    def __init__(self, box, session_id, cwd=None, branch="main", agent=None, day="2025-01-05"):
        self.session_id, self.branch, self.day, self.agent = session_id, branch, day, agent
        self.cwd = str(cwd or box.project)
        folder = box.config / "projects" / "-made-up"
        self.path = folder / session_id / "subagents" / f"agent-{agent}.jsonl" if agent else folder / f"{session_id}.jsonl"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.second = 0
        self.parent = None

    def line(self, **members):
        """Adds a line as it is."""
        with open(self.path, "a") as file:
            file.write(json.dumps(members) + "\n")

    def message(self, role, content, hour=3, **members):
        self.second += 1
        made = str(uuid.uuid4())
        time = f"{self.day}T{hour:02}:{self.second // 60:02}:{self.second % 60:02}.000Z"
        more = {"agentId": self.agent, "isSidechain": True} if self.agent else {}
        self.line(type=role, uuid=made, parentUuid=self.parent, sessionId=self.session_id, timestamp=time, cwd=self.cwd,
                  gitBranch=self.branch, message={"role": role, "content": content}, **more, **members)
        self.parent = made
        return made

    def prompt(self, text, **options):
        return self.message("user", text, **options)

    def says(self, text):
        return self.message("assistant", [{"type": "text", "text": text}])

    def task_ended(self, summary):
        """What Claude Code tells itself when a task in the background has ended."""
        text = f"<task-notification>\n<task-id>a1</task-id>\n<summary>{summary}</summary>\n<result>all is well</result>\n</task-notification>"
        return self.prompt(text, origin={"kind": "task-notification", "producer": "session-task"}, promptSource="system")

    def calls(self, tool, use_id="toolu_1", **tool_input):
        return self.message("assistant", [{"type": "tool_use", "id": use_id, "name": tool, "input": tool_input}])

    def result(self, text, use_id="toolu_1", is_error=False):
        return self.message("user", [{"type": "tool_result", "tool_use_id": use_id, "content": text, "is_error": is_error}])
