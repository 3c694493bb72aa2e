#!/bin/sh
# Asks cdev about a tool call: Claude Code runs this at PreToolUse and PermissionRequest, gives the event as one line
# of JSON on stdin and takes the answer from stdout. No output means "no opinion". It never exits with 2, which blocks.
# `cdev install` puts absolute, single-quoted values into the next three lines.
relay=cdev-hook
socket=
on_failure=continue

can_run() {
    case $relay in
        */*) [ -f "$relay" ] && [ -x "$relay" ] && [ -s "$relay" ] ;;
        *) command -v "$relay" >/dev/null 2>&1 ;;
    esac
}

why='cdev is not answering: its relay cdev-hook is missing or cannot be run. Its hooks were installed with'
why="$why --on-failure block, so no tool runs without it. Ask the user to run \`cdev doctor\` to see what is wrong."

# The first "hook_event_name" is Claude's own: it comes before the tool's input, and within a string its quotes would
# be escaped. Grok, which reads Claude's settings too, has "hookEventName" before any tool's input, and obeys no form but
# its own. Cursor's names begin with a small letter; cdev stays out of it. Only what is certainly a PermissionRequest or
# Cursor's gets "no opinion"; everything else is refused.
refuse() {
    IFS= read -r event
    case ${event%%'"hook_event_name":'*} in
        *'"hookEventName":"pre_tool_use"'*)
            printf '{"decision":"deny","reason":"%s"}' "$why"
            return
            ;;
    esac
    case ${event#*'"hook_event_name":'} in
        '"PermissionRequest"'* | '"'[abcdefghijklmnopqrstuvwxyz]*) printf '{}' ;;
        *) printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",%s"%s"}}' \
            '"permissionDecisionReason":' "$why" ;;
    esac
}

if can_run; then
    set -- --on-failure "$on_failure"
    if [ -n "$socket" ]; then set -- --socket "$socket" "$@"; fi
    exec "$relay" "$@"
fi
echo 'cdev: the relay cdev-hook is missing or cannot be run; `cdev doctor` says more' >&2
if [ "$on_failure" = block ]; then refuse; fi
exit 0
