#!/bin/sh
# Runs install.sh and uninstall.sh there and back in homes made for it. test.sh starts it, in a network that holds nothing
# else where the kernel allows one (CDEV_TEST_NETWORK); it does not run elsewhere.
#
# First it installs as the README's first command does; then everything is tried in a network of its own beside that
# daemon, as by the README's second command.
set -eu
unset CDPATH
cd -- "$(dirname -- "$0")/.."
[ "${HOME:?}" = "${CDEV_TEST_PRIVATE:?start it through install/test.sh --only install}/home" ]
places=$CDEV_TEST_PRIVATE/${1:-first}

fail() {
    printf 'test-install.sh: %s\n' "$*" >&2
    exit 1
}
check() {
    what=$1
    shift
    "$@" || fail "not so: $what"
    printf 'ok: %s\n' "$what"
}
not() { ! "$@"; }

# A place: an empty home of the name $3, Claude's settings as a person may have them, a systemctl of ours before the machine's own.
make_place() {
    place=$places/$1
    home=$place/$3
    bin=$home/.local/bin
    mkdir -p "$home/.claude" "$place/bin" "$place/tmp"
    settings=$home/.claude/settings.json
    printf '{ "model":"opus",\n\t"hooks" : {"Stop":[ ]}, "n": 1.50 }' >"$settings"
    cp "$settings" "$place/settings"
    cp "install/test-systemctl-$2.sh" "$place/bin/systemctl"
    chmod +x "$place/bin/systemctl"
    # The usual port may be somebody's where there is no network of our own.
    if [ "${CDEV_TEST_NETWORK:?}" = host ]; then set_port 0; fi
}

set_port() {
    mkdir -p "$home/.cdev"
    printf '{"port": %s}' "$1" >"$home/.cdev/config.json"
}

# Nothing of the caller's, not even what test.sh made.
inside() { env -i HOME="$home" PATH="$place/bin:$PATH" TMPDIR="$place/tmp" LANG=C.UTF-8 TEST_PLACE="$place" "$@"; }
cdev() { inside "$bin/cdev" "$@"; }
install() { inside sh install/install.sh "$@"; }
uninstall() { inside sh install/uninstall.sh "$@"; }
pid() { cdev status --json | sed -n 's/.*"pid": *\([0-9][0-9]*\).*/\1/p'; }
settings_are_as_they_were() { cmp "$settings" "$place/settings"; }
is_quiet() { ! kill -0 "$1" 2>/dev/null; }
exits_with() {
    expected=$1
    shift
    status=0
    "$@" >/dev/null 2>&1 || status=$?
    [ "$status" -eq "$expected" ]
}

# Whatever goes wrong, no daemon is left behind.
stop_all() {
    if [ -n "${stranger:-}" ]; then kill "$stranger" 2>/dev/null || true; fi
    for home in "$places"/*/*home; do
        place=${home%/*} bin=$home/.local/bin
        if [ -x "$bin/cdev" ]; then cdev stop >/dev/null 2>&1 || true; fi
    done
}
trap stop_all EXIT

misuse() {
    make_place misuse absent home
    check 'an unknown option is wrong usage' exits_with 2 install --frob
    check 'a --prefix without a directory is wrong usage' exits_with 2 install --prefix
    check 'uninstall.sh knows no --frob either' exits_with 2 uninstall --frob
    check 'there is help' exits_with 0 install --help
    check 'and for uninstall.sh' exits_with 0 uninstall --help
    check 'without HOME nothing happens' exits_with 1 env -i PATH="$PATH" sh install/install.sh
    check 'nothing was installed' not test -e "$bin"
}

in_the_background() {
    make_place background chroot "a person's home"
    install
    check 'the programs need no Swift' inside sh -c '! ldd "$1/cdev" | grep -i swift' - "$bin"
    check 'the relay needs nothing at all' inside sh -c '! ldd "$1/cdev-hook"' - "$bin"
    check 'the state is for its owner alone' test "$(stat -c %a "$home/.cdev")" = 700
    check 'the doctor is content' cdev doctor
    first=$(pid)
    cp "$settings" "$place/installed"
    install
    check 'a second time changes no settings' cmp "$settings" "$place/installed"
    check 'and leaves the daemon alone' test "$(pid)" = "$first"
    # As if an older version were there: any other bytes do.
    cp "$bin/cdev" "$place/older" && printf '\n' >>"$place/older" && mv "$place/older" "$bin/cdev"
    install
    check 'an upgrade replaces the program' cmp "$bin/cdev" "$(swift build -c release --show-bin-path)/cdev"
    check 'and starts it' not test "$(pid)" = "$first"
    second=$(pid)
    check 'inside an agent nothing is removed' exits_with 1 inside CLAUDECODE=1 sh install/uninstall.sh --purge
    check 'hooks, programs and daemon are as they were' cdev doctor
    uninstall
    check 'the daemon is gone' is_quiet "$second"
    check 'the settings are as they were' settings_are_as_they_were
    check 'the programs are gone' not test -e "$bin/cdev" -o -e "$bin/cdev-hook"
    check 'the state is kept' test -d "$home/.cdev"
    uninstall --purge
    check 'until it is purged' not test -e "$home/.cdev"
}

as_a_service() {
    make_place service present 'a home'
    unit=$home/.config/systemd/user/cdev.service
    install
    check 'the unit names the program' grep -qF "ExecStart=\"$bin/cdev\" serve --install-hooks" "$unit"
    check 'nothing in the unit is left to fill in' not grep -q @ "$unit"
    if command -v systemd-analyze >/dev/null; then
        check 'systemd takes it' inside XDG_RUNTIME_DIR="$place/tmp" systemd-analyze --user verify "$unit"
    fi
    check 'the doctor is content' cdev doctor
    first=$(pid)
    install
    check 'a second time leaves the service alone' test "$(pid)" = "$first"
    cdev stop
    check 'cdev stop stops it' is_quiet "$first"
    cdev start
    check 'cdev start starts it' grep -qx 'start cdev.service' "$place/systemctl.log"
    uninstall --purge
    check 'the service is gone' not test -e "$unit"
    check 'the settings are as they were' settings_are_as_they_were
    check 'the state is gone' not test -e "$home/.cdev"
}

by_halves() {
    make_place halves absent home
    install --prefix "$home/opt" --no-hooks --no-start
    check 'the programs are where --prefix says' test -x "$home/opt/bin/cdev" -a -x "$home/opt/bin/cdev-hook"
    check '--no-hooks leaves the settings alone' settings_are_as_they_were
    bin=$home/opt/bin
    check '--no-start starts nothing' exits_with 3 cdev status
    install --prefix "$home/opt" --no-hooks
    check 'without --no-start the daemon runs' cdev status --json
    check 'and the settings are still alone' settings_are_as_they_were
    last=$(pid)
    uninstall --prefix "$home/opt" --purge
    check 'all of it is gone' is_quiet "$last"
    check 'programs too' not test -e "$home/opt/bin/cdev"
}

# Whoever else has the port, nothing is left of an install that could not have worked.
where_the_port_is_taken() {
    make_place taken present home
    if [ "$CDEV_TEST_NETWORK" = own ]; then port=8766; else port=0; fi
    python3 -c 'import pathlib, signal, socket, sys
listening = socket.create_server(("127.0.0.1", int(sys.argv[1])))
pathlib.Path(sys.argv[2] + ".new").write_text(str(listening.getsockname()[1]))
pathlib.Path(sys.argv[2] + ".new").rename(sys.argv[2])
signal.pause()' "$port" "$place/port" &
    stranger=$!
    until [ -e "$place/port" ]; do sleep 0.1; done
    port=$(cat "$place/port")
    if [ "$port" != 8766 ]; then set_port "$port"; fi
    status=0
    install >"$place/said" 2>&1 || status=$?
    check 'a port that is taken ends it' test "$status" -eq 1
    check 'it says which' grep -q "port $port of 127.0.0.1 is in use" "$place/said"
    check 'and what to do' grep -q 'choose another port in .*config.json' "$place/said"
    check 'no program is left' not test -e "$bin/cdev" -o -e "$bin/cdev-hook"
    check 'no service either' not test -e "$home/.config/systemd/user/cdev.service"
    check 'and no hook' settings_are_as_they_were
    check 'there is no daemon whose state could be' not test -e "$home/.cdev/cdev.db"
    set_port 0
    install
    check 'with another port it works' cdev doctor
    kill "$stranger"
    uninstall --purge
    check 'and all of it goes' not test -e "$home/.cdev" -o -e "$bin/cdev"
}

there_and_back() {
    misuse
    in_the_background
    as_a_service
    by_halves
    where_the_port_is_taken
}

# The README's two commands in their order: who has installed cdev runs the tests, and neither disturbs the other.
after_the_first_command() {
    make_place installed absent home
    install
    mine=$(pid)
    python3 Tests/EndToEnd/run.py --command install/test-install.sh second
    check 'the daemon that was there has noticed nothing' test "$(pid)" = "$mine"
    uninstall --purge
}

case ${1:-} in
    second) there_and_back ;;
    *) after_the_first_command ;;
esac
