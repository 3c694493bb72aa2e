#!/bin/sh
# Installs, upgrades, removes and purges the packages in a Debian without Swift that is made from this machine's packages
# and entered by chroot; and goes from the package to a paired browser in four steps. test.sh starts it behind
# test-install.sh, whose build it uses, in a network of its own.
set -eu
unset CDPATH
cd -- "$(dirname -- "$0")/.."
places=${CDEV_TEST_PRIVATE:?start it through install/test.sh --only install}/packages

say() { printf '%s\n' "$*"; }
fail() {
    printf 'test-package.sh: %s\n' "$*" >&2
    exit 1
}
check() {
    what=$1
    shift
    "$@" || fail "not so: $what"
    printf 'ok: %s\n' "$what"
}
not() { ! "$@"; }
exits_with() {
    expected=$1
    shift
    status=0
    "$@" >/dev/null 2>&1 || status=$?
    [ "$status" -eq "$expected" ]
}

# --- the root ---------------------------------------------------------------------------------------------------------

make_root() {
    root=$places/$1
    mkdir -p "$root"
    # The paths that the package names, and nothing else.
    # shellcheck disable=SC2046
    python3 install/test-root.py "$root" $(dpkg-deb -f "$deb" Depends | sed 's/([^)]*)//g; s/,/ /g')
    mount --rbind /proc "$root/proc"
    mount --rbind /dev "$root/dev"
    home=$root/home/person
    mkdir -p "$home/.claude"
    settings=$home/.claude/settings.json
    printf '{ "model":"opus",\n\t"hooks" : {"Stop":[ ]}, "n": 1.50 }' >"$settings"
    cp "$settings" "$root/settings"
    chown -R 1000:1000 "$home"
    check 'the root has no Swift' test -z "$(find "$root/usr" "$root/opt" -name 'swift*' -o -name 'libswift*' 2>/dev/null)"
}

# As its user, with nothing of ours.
person() { chroot --userspec=1000:1000 "$root" env -i HOME=/home/person PATH=/home/person/.local/bin:/usr/bin:/bin LANG=C.UTF-8 "$@"; }
dpkg_there() { dpkg --root="$root" "$@" >>"$places/dpkg.log" 2>&1 || { cat "$places/dpkg.log" && fail "dpkg $*"; }; }
pid() { person cdev status --json | sed -n 's/.*"pid": *\([0-9][0-9]*\).*/\1/p'; }
is_gone() { ! kill -0 "$1" 2>/dev/null; }
settings_are_as_they_were() { cmp "$settings" "$root/settings"; }

# Whatever goes wrong, no daemon is left behind.
stop_all() {
    for root in "$places"/*root; do
        [ -d "$root/home/person" ] || continue
        person cdev stop >/dev/null 2>&1 || true
        umount -l "$root/proc" "$root/dev" 2>/dev/null || true
    done
}

# --- what is tested ---------------------------------------------------------------------------------------------------

misuse() {
    check 'an unknown option of package.sh is wrong usage' exits_with 2 sh install/package.sh --frob
    check 'an --output without a directory is wrong usage' exits_with 2 sh install/package.sh --output
    check 'there is help' exits_with 0 sh install/package.sh --help
}

make_packages() {
    sh install/package.sh --output "$places"
    deb=$(echo "$places"/cdev_*.deb)
    tarball=$(echo "$places"/cdev-*.tar.gz)
}

# The same programs as another version.
make_next_version() {
    dpkg-deb -R "$deb" "$places/next"
    sed -i 's/^Version: .*/Version: 99/' "$places/next/DEBIAN/control"
    printf '\n' >>"$places/next/usr/bin/cdev"
    next=$places/next.deb
    dpkg-deb --root-owner-group -Znone -b "$places/next" "$next" >/dev/null
    rm -rf "$places/next"
}

as_a_debian_package() {
    make_root debian-root
    dpkg_there -i "$deb"
    check 'the programs start' person cdev --version
    check 'so does the relay' person cdev-hook --version
    check 'the unit names the program' grep -qx 'ExecStart=/usr/bin/cdev serve --install-hooks' "$root/usr/lib/systemd/user/cdev.service"
    check 'nothing in the unit is left to fill in' not grep -q @ "$root/usr/lib/systemd/user/cdev.service"
    check 'the manual has a page for each command' test -e "$root/usr/share/man/man1/cdev-expose.1.gz"
    check 'bash completes' grep -q cdev "$root/usr/share/bash-completion/completions/cdev"
    check 'the settings are still alone' settings_are_as_they_were
    person cdev install
    person cdev start
    check 'the doctor is content' person cdev doctor
    first=$(pid)
    make_next_version
    dpkg_there -i "$next"
    check 'an upgrade replaces the daemon' is_gone "$first"
    second=$(pid)
    check 'by one of the new program' test "$(readlink "/proc/$second/exe")" = "$root/usr/bin/cdev"
    check 'which is still that user'\''s' test "$(stat -c %u "/proc/$second")" = 1000
    check 'and the doctor is content' person cdev doctor
    dpkg_there -r cdev
    check 'removed, the daemon is gone' is_gone "$second"
    check 'the settings are as they were' settings_are_as_they_were
    check 'the programs are gone' not test -e "$root/usr/bin/cdev" -o -e "$root/usr/bin/cdev-hook"
    check 'the state is the user'\''s, and stays' test -f "$home/.cdev/cdev.db"
    dpkg_there -i "$next"
    person cdev start
    third=$(pid)
    dpkg_there -P cdev
    check 'purged, nothing of the package is left' test -z "$(find "$root" -xdev -path '*cdev*' -not -path "$home/*")"
    check 'nor its daemon' is_gone "$third"
    check 'and dpkg knows it no more' not dpkg-query --admindir="$root/var/lib/dpkg" -W cdev 2>/dev/null
}

# The browser is the tests' own, and so is the Python that drives it.
in_four_steps() {
    make_root steps-root
    .build/venv/bin/python Tests/EndToEnd/four_steps.py "$root" "$deb"
    check 'that daemon is stopped' person cdev stop
}

as_a_tarball() {
    make_root tar-root
    person tar -xzf - -C /home/person <"$tarball"
    unpacked=/home/person/$(basename "$tarball" .tar.gz)
    person sh "$unpacked/install.sh"
    check 'its install.sh leaves a working cdev' person cdev doctor
    check 'in the user'\''s home' test -x "$home/.local/bin/cdev"
    check 'with manual pages' test -e "$home/.local/share/man/man1/cdev.1"
    check 'and completions' test -s "$home/.local/share/zsh/site-functions/_cdev"
    last=$(pid)
    person sh "$unpacked/uninstall.sh" --purge
    check 'its uninstall.sh ends the daemon' is_gone "$last"
    check 'and leaves nothing' test -z "$(find "$home" -path '*cdev*' -not -path "$home/cdev-*")"
    check 'the settings are as they were' settings_are_as_they_were
    rm -r "$home/${unpacked##*/}"
    for package in "$tarball" "$deb"; do
        mkdir "$home/beside"
        cp install/install.sh install/uninstall.sh install/cdev.service "$package" "$home/beside"
        chown -R 1000:1000 "$home/beside"
        person sh /home/person/beside/install.sh --no-hooks --no-start
        check "install.sh uses ${package##*/} beside it" person /home/person/.local/bin/cdev --version
        person sh /home/person/beside/uninstall.sh --purge
        rm -r "$home/beside"
    done
    check 'without a package it says what to do' says_where_swift_is_from
}

says_where_swift_is_from() {
    cp install/install.sh "$home/install.sh"
    person sh /home/person/install.sh 2>&1 | grep -q 'put a package beside it'
}

case ${1:-} in
    inside)
        trap stop_all EXIT
        mkdir "$places"
        misuse
        make_packages
        as_a_debian_package
        in_four_steps
        as_a_tarball
        ;;
    *)
        unshare --mount true 2>/dev/null || {
            say 'not tested: the packages need a root of their own, and this user may make none'
            exit 0
        }
        exec unshare --mount --propagation private sh "$0" inside
        ;;
esac
