#!/bin/sh
# Stands in for `systemctl --user`: runs what the unit says, so that a test needs no systemd and touches nobody's.
set -eu
[ "$1" = --user ]
shift
place=${TEST_PLACE:?}
unit=$HOME/.config/systemd/user/cdev.service
echo "$*" >>"$place/systemctl.log"

runs() { [ -s "$place/service.pid" ] && kill -0 "$(cat "$place/service.pid")" 2>/dev/null; }

start() {
    if runs; then return; fi
    eval "set -- $(sed -n 's/^Environment=//p' "$unit") $(sed -n 's/^ExecStart=//p' "$unit")"
    env -i HOME="$HOME" PATH=/usr/bin:/bin TMPDIR="$TMPDIR" "$@" </dev/null >>"$place/service.log" 2>&1 &
    echo $! >"$place/service.pid"
}

stop() {
    if ! runs; then return; fi
    kill "$(cat "$place/service.pid")"
    while runs; do sleep 0.1; done
}

case "$*" in
    show-environment) echo "HOME=$HOME" ;;
    daemon-reload) ;;
    is-active*) runs ;;
    'start cdev.service' | enable*--now*) start ;;
    'stop cdev.service' | disable*--now*) stop ;;
    'restart cdev.service')
        stop
        start
        ;;
    enable*) ;;
    *)
        echo "unexpected: systemctl --user $*" >&2
        exit 1
        ;;
esac
