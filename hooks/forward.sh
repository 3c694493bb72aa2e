#!/bin/sh
# Tells cdev what happened: Claude Code runs this at every event that asks for no decision and gives the event as JSON
# on stdin. It decides nothing. After a tool ran, and where `/clear` ends and starts a session, it waits until cdev has
# heard, for a second at most; it prints something only if a person changed the call that ran, for the model to know.
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
