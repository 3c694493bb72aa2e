#!/bin/sh
# The package's postinst. After an upgrade the daemons of the version before are replaced; what they hold waits meanwhile.
set -eu

# Runs both commands as the user whose daemon it is, in the environment that it was started with. Privileges go first, for
# the environment is the user's.
restart() {
    # The entries of the environment become the words of the inner sh.
    # shellcheck disable=SC2016
    setsid -w setpriv --reuid="$(stat -c %u "/proc/$1")" --regid="$(stat -c %g "/proc/$1")" --clear-groups --reset-env \
        xargs -0 -a "/proc/$1/environ" \
        sh -c 'env -i "$@" /usr/bin/cdev stop >/dev/null && exec env -i "$@" /usr/bin/cdev start' - </dev/null
}

replace_daemons() {
    for process in /proc/[0-9]*; do
        [ "$(readlink "$process/exe" 2>/dev/null)" = '/usr/bin/cdev (deleted)' ] || continue
        case "$(tr '\0' ' ' <"$process/cmdline" 2>/dev/null)" in
            *' serve --home '* | *' serve --install-hooks ')
                restart "${process#/proc/}" || echo "cdev: the daemon with pid ${process#/proc/} was not restarted" >&2
                ;;
            *' serve '*) echo "cdev: the daemon with pid ${process#/proc/} was started by hand: restart it" >&2 ;;
        esac
    done
}

# With an old version as $2, this is an upgrade.
if [ "${1:-}" = configure ] && [ -n "${2:-}" ]; then replace_daemons; fi
exit 0
