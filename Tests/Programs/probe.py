"""The rule engine, asked through the program `rule-probe`."""
import json
import os
import subprocess
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


class Probe:
    """One process; a request is a JSON line, and so is its answer."""

    def __init__(self):
        directory = os.environ.get("CDEV_BIN_DIR") or REPOSITORY / ".build/debug"
        self.process = subprocess.Popen(
            [f"{directory}/rule-probe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if isinstance(answer, dict) and "error" in answer:
            raise ValueError(f"rule-probe: {answer['error']}: {str(request)[:300]}")
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.wait()
