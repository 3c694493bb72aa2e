#!/bin/sh
# Removes what install.sh put in place. `uninstall.sh --help` says more.
# Everything is inside one function called on the last line, so that a file cut short does nothing.
uninstall_cdev() {
    set -eu
    unset CDPATH

    usage() {
        cat <<'TEXT'
usage: install/uninstall.sh [--prefix DIR] [--purge]

Stops the daemon, takes our hooks out of Claude Code's settings and removes the programs and the service. Debian packages
stay, and so does the state (the record of decisions, rules, tokens, config.json), unless --purge is given.
It asks nothing and says what it does.

  --prefix DIR  where install.sh was told to put the programs; ~/.local unless told
  --purge       remove the state too: $CDEV_HOME, by default ~/.cdev
  --help        print this
TEXT
    }
    say() { printf '%s\n' "$*"; }
    fail() {
        printf 'uninstall.sh: %s\n' "$*" >&2
        exit 1
    }
    misuse() {
        printf 'uninstall.sh: %s; see install/uninstall.sh --help\n' "$*" >&2
        exit 2
    }
    absolute() {
        case $1 in
            /*) printf '%s' "$1" ;;
            *) printf '%s/%s' "$PWD" "$1" ;;
        esac
    }

    read_options() {
        prefix='' purge=no
        while [ $# -gt 0 ]; do
            case $1 in
                --prefix)
                    [ -n "${2:-}" ] || misuse '--prefix needs a directory'
                    prefix=$2
                    shift
                    ;;
                --prefix=?*) prefix=${1#--prefix=} ;;
                --purge) purge=yes ;;
                --help | -h)
                    usage
                    exit 0
                    ;;
                *) misuse "unknown option $1" ;;
            esac
            shift
        done
    }

    find_places() {
        case ${HOME:-} in
            /*) ;;
            *) fail 'HOME is not set to an absolute path, so there is no telling whose cdev to remove' ;;
        esac
        bin=$(absolute "${prefix:-$HOME/.local}")/bin
        state=$(absolute "${CDEV_HOME:-$HOME/.cdev}")
        if [ -n "${CDEV_HOME:-}" ]; then export CDEV_HOME="$state"; fi
        unit=${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user/cdev.service
    }

    # Only the service that runs these programs: another prefix may have its own.
    stop_service() {
        [ -f "$unit" ] && grep -qF "\"$bin/cdev\"" "$unit" || return 0
        if [ -n "$(systemctl --user show-environment 2>/dev/null)" ]; then
            systemctl --user disable --quiet --now cdev.service || say 'systemctl --user disable cdev.service failed'
        fi
        rm -f "$unit" || fail "$unit could not be removed"
        systemctl --user daemon-reload >/dev/null 2>&1 || true
        say "service stopped and removed: $unit"
    }

    stop_daemon() {
        status=0
        said=$("$bin/cdev" stop 2>&1) || status=$?
        case $status in
            0) say "$said" ;;
            3) say 'no daemon runs' ;;
            *) fail "the daemon did not stop; stop it, then run this again: $said" ;;
        esac
    }

    # Every settings file that has our hooks, as the installer noted them.
    take_hooks_out() {
        "$bin/cdev" uninstall || fail "Claude Code's settings still run our hooks: mend the file, then run this again"
        notes=$state/installed.json
        [ -f "$notes" ] || return 0
        grep -o '"/[^"\\]*":{"installed":true' "$notes" | sed 's/^"//; s/":{"installed":true$//' |
            while IFS= read -r settings; do
                "$bin/cdev" uninstall --settings "$settings" || exit 1
            done || fail 'a settings file still runs our hooks: mend it, then run this again'
    }

    remove_programs() {
        for program in cdev cdev-hook; do
            [ -e "$bin/$program" ] || continue
            rm -f "$bin/$program" || fail "$bin/$program could not be removed"
            say "removed $bin/$program"
        done
    }

    remove_texts() {
        share=${bin%/bin}/share
        rm -f "$share/man/man1/cdev.1" "$share"/man/man1/cdev-*.1 "$share/bash-completion/completions/cdev" \
            "$share/zsh/site-functions/_cdev" "$share/fish/vendor_completions.d/cdev.fish"
        # What is empty now was made for them, or serves nobody.
        for directory in man/man1 man bash-completion/completions bash-completion zsh/site-functions zsh \
            fish/vendor_completions.d fish; do
            rmdir "$share/$directory" 2>/dev/null || true
        done
    }

    remove_state() {
        if [ "$purge" = no ]; then
            if [ -d "$state" ]; then say "kept $state; --purge removes it"; fi
            return 0
        fi
        [ -d "$state" ] || return 0
        # A wrong CDEV_HOME must not cost anybody more than our own files.
        case $HOME/ in
            "$state"/*) fail "CDEV_HOME is $state, which holds your home: nothing purged" ;;
        esac
        [ -f "$state/cdev.db" ] || [ -f "$state/installed.json" ] || [ -d "$state/hooks" ] ||
            fail "$state does not look like cdev's: nothing purged"
        rm -rf -- "${state:?}" || fail "$state could not be removed whole"
        say "removed $state"
    }

    read_options "$@"
    find_places
    if [ -x "$bin/cdev" ]; then
        # First, since a process inside an agent may not do this, and then nothing else is done.
        take_hooks_out
        stop_service
        stop_daemon
    else
        say "no cdev in $bin; if it was installed elsewhere, give --prefix"
        stop_service
    fi
    remove_programs
    remove_texts
    remove_state
    say 'done; Debian packages were left alone'
}

uninstall_cdev "$@"
