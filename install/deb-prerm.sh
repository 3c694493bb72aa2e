#!/bin/sh
# The package's prerm. Before the programs go, each user's daemon is stopped and our hooks are taken out of the settings:
# hooks without a relay are of no use, and with --on-failure block they would refuse every call. The state stays, as
# packages leave homes alone; who wants it gone removes ~/.cdev.
set -eu

# Run as that user, and with nothing of root's.
# shellcheck disable=SC2016
leave='
    notes=$HOME/.cdev/installed.json
    grep -o "\"/[^\"\\\\]*\":{\"installed\":true" "$notes" | sed "s/^\"//; s/\":{\"installed\":true\$//" |
        while IFS= read -r settings; do /usr/bin/cdev uninstall --settings "$settings"; done
    link=$HOME/.config/systemd/user/default.target.wants/cdev.service
    if [ "$(readlink "$link")" = /usr/lib/systemd/user/cdev.service ]; then rm -f "$link"; fi
    /usr/bin/cdev stop
    exit 0'

leave_everybody() {
    getent passwd | while IFS=: read -r name _ user group _ home _; do
        grep -q "^relay='/usr/bin/cdev-hook'" "$home/.cdev/hooks/permission.sh" 2>/dev/null || continue
        setsid -w setpriv --reuid="$user" --regid="$group" --clear-groups --reset-env \
            env -i HOME="$home" PATH=/usr/bin:/bin LANG=C.UTF-8 sh -c "$leave" </dev/null 2>&1 | sed "s/^/$name: /"
    done
}

if [ "${1:-}" = remove ]; then leave_everybody; fi
exit 0
