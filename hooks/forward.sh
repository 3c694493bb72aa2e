#!/bin/sh
# Tells cdev what happened: Claude Code runs this at every event that asks for no decision and gives the event as JSON
# on stdin. It prints nothing, waits for no answer and is never in the way.
# `cdev install` puts absolute, single-quoted values into the next three lines; the last changes nothing here.
relay=cdev-hook
socket=
on_failure=continue

can_run() {
    case $relay in
        */*) [ -f "$relay" ] && [ -x "$relay" ] && [ -s "$relay" ] ;;
        *) command -v "$relay" >/dev/null 2>&1 ;;
    esac
}

if can_run; then
    set -- --observe --on-failure "$on_failure"
    if [ -n "$socket" ]; then set -- --socket "$socket" "$@"; fi
    exec "$relay" "$@"
fi
exit 0
