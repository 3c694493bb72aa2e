#!/bin/sh
# Installs cdev for the user who runs it: packages, release build, programs, hooks, daemon. `install.sh --help` says more.
# Everything is inside one function called on the last line, so that a file cut short does nothing.
install_cdev() {
    set -eu
    umask 022
    unset CDPATH

    usage() {
        cat <<'TEXT'
usage: install.sh [--prefix DIR] [--no-hooks] [--no-start]

Installs cdev for you alone; run it again to upgrade. A package that lies beside this script (cdev-*.tar.gz or cdev_*.deb, or
an unpacked one) is used as it is; from a checkout, cdev is built, which needs Swift. On Debian, missing packages are installed
with apt-get (through sudo where you are not root). Nothing else needs root.

  --prefix DIR  programs go to DIR/bin; ~/.local unless told
  --no-hooks    leave Claude Code's settings alone
  --no-start    neither start the daemon nor restart one that runs
  --help        print this

HOME, CLAUDE_CONFIG_DIR, CDEV_HOME and CDEV_SOCKET count as they do for cdev. install/uninstall.sh undoes it.
TEXT
    }
    say() { printf '%s\n' "$*"; }
    step() { printf '\n==> %s\n' "$*"; }
    fail() {
        printf '\ninstall.sh: %s\n' "$*" >&2
        exit 1
    }
    misuse() {
        printf 'install.sh: %s; see install.sh --help\n' "$*" >&2
        exit 2
    }
    has() { command -v "$1" >/dev/null 2>&1; }

    # --- what is wanted, and where -----------------------------------------------------------------------------------

    read_options() {
        prefix='' hooks=yes start=yes
        while [ $# -gt 0 ]; do
            case $1 in
                --prefix)
                    [ -n "${2:-}" ] || misuse '--prefix needs a directory'
                    prefix=$2
                    shift
                    ;;
                --prefix=?*) prefix=${1#--prefix=} ;;
                --no-hooks) hooks=no ;;
                --no-start) start=no ;;
                --help | -h)
                    usage
                    exit 0
                    ;;
                *) misuse "unknown option $1" ;;
            esac
            shift
        done
    }

    absolute() {
        case $1 in
            /*) printf '%s' "$1" ;;
            *) printf '%s/%s' "$PWD" "$1" ;;
        esac
    }

    find_places() {
        case ${HOME:-} in
            /*) ;;
            *) fail 'HOME is not set to an absolute path, so there is no telling for whom to install' ;;
        esac
        [ -d "$HOME" ] || fail "HOME is $HOME, which is no directory"
        here=$(cd -- "$(dirname -- "$0")" && pwd -P)
        template=$here/cdev.service
        bin=$(absolute "${prefix:-$HOME/.local}")/bin
        state=$(absolute "${CDEV_HOME:-$HOME/.cdev}")
        if [ -n "${CDEV_HOME:-}" ]; then export CDEV_HOME="$state"; fi
        system=$(uname -s)
    }

    # --- a package beside this script ----------------------------------------------------------------------------------

    # Sets `built` to the programs of a package, or leaves it empty.
    find_package() {
        built='' needed=''
        if [ -x "$here/bin/cdev" ] && [ -f "$here/packages" ]; then
            take_tree "$here"
            return
        fi
        # The last name counts, which usually has the highest version.
        for package in "$here"/cdev_*.deb "$here"/cdev-*-linux-"$(uname -m)".tar.gz; do
            [ -f "$package" ] && found=$package
        done
        [ -n "${found:-}" ] || return 0
        step "Unpacking $found"
        unpacked=$(mktemp -d)
        trap 'rm -rf "$unpacked"' EXIT
        case $found in
            *.deb) take_deb "$found" ;;
            *)
                tar -xzf "$found" -C "$unpacked" || fail "$found could not be unpacked"
                take_tree "$(echo "$unpacked"/cdev-*)"
                ;;
        esac
    }

    take_tree() {
        built=$1/bin
        needed=$(tr '\n' ' ' <"$1/packages")
        template=$1/cdev.service
    }

    take_deb() {
        has dpkg-deb || fail "dpkg-deb is needed to unpack $1"
        dpkg-deb -x "$1" "$unpacked" || fail "$1 could not be unpacked"
        built=$unpacked/usr/bin
        # The names, without libc6, whose version is asked for.
        needed=$(dpkg-deb -f "$1" Depends | sed 's/libc6 ([^)]*),*//; s/,/ /g')
    }

    check_package() {
        case $system in Linux) ;; *) fail "the package is for Linux, and this is $system" ;; esac
        if has apt-get && has dpkg-query; then
            install_with_apt "$needed"
        elif ldd "$built/cdev" | grep 'not found'; then
            fail "these libraries are missing; on Debian they are in: $needed"
        fi
        said=$("$built/cdev" --version 2>&1) || fail "the program of the package does not start here: $said"
        say "$said"
    }

    # --- packages ----------------------------------------------------------------------------------------------------

    is_installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q '^install ok installed$'; }

    as_root() {
        if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
    }

    install_packages() {
        case $system in
            Linux)
                if has apt-get && has dpkg-query; then
                    install_with_apt "libavahi-client-dev libc6-dev libcmark-dev libcurl4-openssl-dev libevent-dev libpng-dev \
libqrencode-dev libsqlite3-dev libssl-dev pkg-config zlib1g-dev"
                else
                    check_libraries
                fi
                ;;
            Darwin) install_with_brew ;;
            *) check_libraries ;;
        esac
    }

    install_with_apt() {
        missing=''
        for package in $1; do
            if [ "$package" = pkg-config ] && has pkg-config; then continue; fi
            is_installed "$package" || missing="$missing $package"
        done
        if [ -z "$missing" ]; then
            say 'all packages are there'
            return
        fi
        say "missing:$missing"
        [ "$(id -u)" -eq 0 ] || has sudo ||
            fail "these packages are missing and there is no sudo. As root, run: apt-get install$missing"
        as_root apt-get update -q ||
            say 'apt-get update failed; trying with the package lists that are there'
        # Unquoted: a list of names.
        # shellcheck disable=SC2086
        as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -q --no-install-recommends $missing ||
            fail "apt-get could not install:$missing"
    }

    install_with_brew() {
        say 'macOS: nobody has tried this yet; the build may fail'
        has brew || fail 'Homebrew is needed for cmark, curl, libevent, libpng, openssl, qrencode, sqlite and zlib: https://brew.sh'
        brew install cmark curl libevent libpng openssl@3 pkg-config qrencode sqlite zlib || fail 'brew could not install the packages'
    }

    check_libraries() {
        has pkg-config || fail 'pkg-config is needed, and the development files of avahi-client, cmark, libcurl, libevent, libpng, libqrencode, OpenSSL, SQLite and zlib'
        for library in avahi-client libcmark libcurl libevent libcrypto libpng libqrencode sqlite3 zlib; do
            pkg-config --exists "$library" || fail "the development files of $library are missing"
        done
        say 'not Debian, but the libraries are there'
    }

    # --- build -------------------------------------------------------------------------------------------------------

    check_swift() {
        root=${here%/*}
        [ -f "$root/Package.swift" ] || fail "no package beside this script and no Package.swift in $root: \
run this script from a checkout of cdev, or put a package beside it"
        has swift || fail 'no swift in PATH. Install Swift 6.2 or later (https://www.swift.org/install), \
or put a package of cdev beside this script'
        said=$(swift --version 2>&1) || fail "swift does not start; has it all that swift.org lists for it? It said: $said"
        version=$(say "$said" | sed -n 's/.*Swift version \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | head -n 1)
        case $version in
            '') fail "swift --version tells no version. It said: $said" ;;
            [0-5].* | 6.0 | 6.1) fail "Swift 6.2 or later is needed, this is $version: https://www.swift.org/install" ;;
        esac
        say "Swift $version"
    }

    # A static standard library makes the command independent of the toolchain it was built with.
    build() {
        link=''
        if [ "$system" = Linux ]; then link=--static-swift-stdlib; fi
        if ! build_with $link; then
            [ -n "$link" ] || fail 'the build failed; its output is above'
            say 'trying again with the shared Swift runtime'
            build_with || fail 'the build failed; its output is above'
            say 'note: the programs need the Swift toolchain to stay where it is'
        fi
        built=$(swift build -c release --package-path "$root" --show-bin-path) || fail 'the build left no programs'
    }

    build_with() {
        for product in cdev cdev-hook; do
            swift build -c release --package-path "$root" --product "$product" "$@" || return 1
        done
    }

    # Nothing is put in place that could not run: hooks without a daemon would be half an install.
    check_daemon() {
        if "$built/cdev" status --json >/dev/null 2>&1; then return; fi
        "$built/cdev" serve --check ||
            fail "the daemon could not start, so nothing was installed; see above. Mend it, or choose another port in \
$state/config.json, such as {\"port\": 8767}, or pass --no-start; then run this again"
    }

    # --- programs and hooks ------------------------------------------------------------------------------------------

    # A program that runs cannot be written to, but its name can be given to another file.
    place() {
        if cmp -s "$built/$1" "$bin/$1" && [ -x "$bin/$1" ]; then
            say "$bin/$1 is up to date"
            return
        fi
        beside="$bin/.$1.new"
        rm -f "$beside"
        # Each command is checked by itself: `set -e` does not reach into every context a function is called from.
        cp "$built/$1" "$beside" && chmod 755 "$beside" && mv -f "$beside" "$bin/$1" || {
            rm -f "$beside"
            fail "$bin/$1 could not be written"
        }
        changed=yes
        say "$bin/$1"
    }

    place_programs() {
        mkdir -p "$bin" || fail "$bin could not be made"
        changed=no
        place cdev-hook
        place cdev
    }

    # Completions and manual pages, which the command prints itself; cdev works without them.
    place_texts() {
        share=${bin%/bin}/share
        mkdir -p "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d" &&
            "$bin/cdev" man --to "$share/man/man1" >/dev/null &&
            "$bin/cdev" completion bash >"$share/bash-completion/completions/cdev" &&
            "$bin/cdev" completion zsh >"$share/zsh/site-functions/_cdev" &&
            "$bin/cdev" completion fish >"$share/fish/vendor_completions.d/cdev.fish" &&
            say "$share: manual pages, completions for bash, zsh and fish" ||
            say "note: manual pages and completions could not be written to $share"
    }

    install_hooks() {
        "$bin/cdev" install || fail 'the programs are installed, the hooks are not: see above, then run `cdev install`'
    }

    # --- daemon ------------------------------------------------------------------------------------------------------

    is_up() { "$bin/cdev" status --json >/dev/null 2>&1; }

    wait_until_up() {
        tries=0
        until is_up; do
            tries=$((tries + 1))
            [ "$tries" -lt 100 ] || fail "the daemon did not come up within 10 s; see $state/server.log, or $1"
            sleep 0.1
        done
    }

    # The service is for the usual place of the state only; `cdev start` and `cdev stop` go by the same rule.
    can_be_service() {
        newline='
'
        [ "$system" = Linux ] && [ "$state" = "$HOME/.cdev" ] && has systemctl || return 1
        case $bin${CLAUDE_CONFIG_DIR:-}${CDEV_SOCKET:-} in
            *[\"\'\\%\$]* | *"$newline"*) return 1 ;; # no unit file takes these
        esac
        # In a chroot it succeeds at everything and does nothing.
        [ -n "$(systemctl --user show-environment 2>/dev/null)" ]
    }

    for_sed() { printf '%s' "$1" | sed 's/[\\&|]/\\&/g'; }

    environment_lines() {
        if [ -n "${CLAUDE_CONFIG_DIR:-}" ]; then printf 'Environment="CLAUDE_CONFIG_DIR=%s"\\n' "$CLAUDE_CONFIG_DIR"; fi
        if [ -n "${CDEV_SOCKET:-}" ]; then printf 'Environment="CDEV_SOCKET=%s"\\n' "$(absolute "$CDEV_SOCKET")"; fi
    }

    write_unit() {
        serve=serve
        if [ "$hooks" = yes ]; then serve='serve --install-hooks'; fi
        mkdir -p "${unit%/*}" || fail "${unit%/*} could not be made"
        lines=$(environment_lines | sed 's/[&|]/\\&/g')
        sed -e "s|@CDEV@|$(for_sed "$bin/cdev")|" -e "s|@SERVE@|$serve|" \
            -e "s|@ENVIRONMENT@|$lines|" "$template" >"$unit.new" || fail "$unit could not be written"
        if cmp -s "$unit.new" "$unit"; then
            rm -f "$unit.new"
            return
        fi
        mv -f "$unit.new" "$unit" || fail "$unit could not be written"
        changed=yes
    }

    start_service() {
        unit=${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user/cdev.service
        write_unit
        systemctl --user daemon-reload || fail 'systemctl --user daemon-reload failed'
        if systemctl --user is-active --quiet cdev.service; then
            systemctl --user enable --quiet cdev.service || fail 'systemctl --user enable cdev.service failed'
            if [ "$changed" = yes ]; then
                systemctl --user restart cdev.service || fail 'the service did not restart: journalctl --user -u cdev'
            fi
        else
            if is_up; then "$bin/cdev" stop; fi
            systemctl --user enable --quiet --now cdev.service ||
                fail 'the service did not start: journalctl --user -u cdev'
        fi
        wait_until_up 'journalctl --user -u cdev'
        say "the daemon runs as a systemd user service: $unit"
        say 'After a reboot it starts when you log in, and it ends when you log out; `loginctl enable-linger` keeps it running.'
    }

    start_in_background() {
        if is_up; then
            if [ "$changed" = no ]; then
                say 'the daemon runs already'
                say_after_reboot
                return
            fi
            "$bin/cdev" stop || fail 'the old daemon did not stop; stop it, then run this again'
        fi
        "$bin/cdev" start || fail 'the programs are installed, but the daemon did not start: see above'
        say_after_reboot
    }

    say_after_reboot() { say "After a reboot the first hook of a session starts it again; \`cdev stop\` ends that."; }

    start_daemon() {
        if can_be_service; then start_service; else start_in_background; fi
    }

    # --- what next ---------------------------------------------------------------------------------------------------

    say_what_next() {
        say ''
        say 'cdev is installed.'
        case :$PATH: in
            *":$bin:"*) ;;
            *)
                say ''
                say "$bin is not in your PATH. Add it in your shell's start-up file:"
                say "  export PATH=\"$bin:\$PATH\""
                ;;
        esac
        say ''
        if [ "$start" = no ]; then
            if is_up; then say '  cdev stop                  stop the daemon that runs, it is not the new program'; fi
            say '  cdev start                 start the daemon'
        fi
        if [ "$hooks" = no ]; then say "  cdev install               add the hooks to Claude Code's settings"; fi
        say '  cdev expose tailscale      make it reachable from your phone, and pair that (or: cdev expose lan)'
        say '  cdev watch                 see requests here, and answer them'
        say '  cdev doctor                check that everything works'
        say '  cdev stop                  stop the daemon'
        say "  $here/uninstall.sh  remove all of it"
    }

    read_options "$@"
    find_places
    find_package
    step 'Packages'
    if [ -n "$built" ]; then
        check_package
    else
        check_swift
        install_packages
        step 'Building (a few minutes the first time)'
        build
    fi
    if [ "$start" = yes ]; then check_daemon; fi
    step 'Programs'
    place_programs
    place_texts
    if [ "$hooks" = yes ]; then
        step 'Hooks'
        install_hooks
    fi
    if [ "$start" = yes ]; then
        step 'Daemon'
        start_daemon
    fi
    say_what_next
}

install_cdev "$@"
