"""What an installation leaves in a settings file."""
import json

EVENTS = [
    "Notification", "PermissionDenied", "PermissionRequest", "PostToolBatch", "PostToolUse", "PostToolUseFailure",
    "PreToolUse", "SessionEnd", "SessionStart", "Stop", "StopFailure", "SubagentStop", "UserPromptSubmit",
]


def commands(settings):
    """Every hook command of ours in a settings text, by event."""
    found = {}
    for event, groups in json.loads(settings).get("hooks", {}).items():
        for group in groups:
            for hook in group["hooks"]:
                if hook.get("command", "").endswith(" # cdev"):
                    found.setdefault(event, []).append((group, hook))
    return found
