#!/bin/sh
# Installs what the tests need and runs them all. `test.sh --help` says more.
# Nothing here sees your home, your Claude configuration or your cdev: every step runs in an environment made for it.
set -eu

usage() {
    cat <<'TEXT'
usage: install/test.sh [--fast] [--only STEP] [--long] [--newest-claude]

Runs the steps, in two lanes at once, and begins no step after one that failed. The last line is
`N passed, N failed`: tests where a step has tests, else steps. Each step's output is kept in .build/test-logs.

  packages    Debian packages that the build and the tests need (apt-get, through sudo where you are not root)
  python      a virtual environment in .build with pinned packages, the Claude Code client among them
  scripts     syntax and layout of the shell scripts
  format      swift format
  build       everything, with the direction of imports checked
  release     the programs as install.sh builds them
  unit        swift test
  threads     whatever has threads or C under the thread sanitizer
  addresses   with --long only: whatever calls C or reads memory by pointers under the address sanitizer
  codecs      HTTP and WebSocket compared with h11 and wsproto
  programs    the real programs run with what the rules settle; with --long all that Debian and PyPI have
  endtoend    the real Claude Code, with hooks that cdev installed; up to three tests that failed beside others are run
              again, alone, and named
  install     install.sh and uninstall.sh, there and back; the packages, in a root without Swift
  speed       what a hook costs, in counts that do not wobble, compared with a baseline

  --fast           packages, build and unit only
  --only STEP      that step, and what it needs
  --long           the generated tests run much longer (CDEV_LONG_TESTS=1), and addresses runs too
  --newest-claude  endtoend with the newest Claude Code there is, not the pinned one
  --help           print this
TEXT
}

all='packages python scripts format build release unit threads addresses codecs programs endtoend install speed'

say() { printf '%s\n' "$*"; }
misuse() {
    printf 'test.sh: %s; see install/test.sh --help\n' "$*" >&2
    exit 2
}

# --- running the steps ------------------------------------------------------------------------------------------------

# From a step's log: "PASSED FAILED"; a step without tests counts as one. Of tests that were run again the second run counts.
count() {
    awk -v status="$2" '
        /^==> again:/ { failed = 0; is_again = 1; is_repeat = 1 }
        /Test run with [0-9]+ tests? .*(passed|failed) after/ && is_repeat { is_repeat = 0; next }
        /Test run with [0-9]+ tests? .*(passed|failed) after/ {
            for (i = 1; i < NF; i++) if ($i == "with" && $(i + 1) ~ /^[0-9]+$/) { total += $(i + 1); break }
        }
        /^✘ Test .* failed after/ && !/^✘ Test run with/ { failed++ }
        /^=+ .*(passed|failed|error).* in [0-9.]+s/ {
            for (i = 2; i <= NF; i++) {
                if ($i ~ /^passed/ && !is_again) total += $(i - 1)
                if ($i ~ /^(failed|errors?)/) { if (!is_again) total += $(i - 1); failed += $(i - 1) }
            }
        }
        END {
            if (status != 0 && !failed) failed = 1
            if (total < failed) total = failed
            if (!total) total = 1
            print total - failed, failed + 0
        }' "$1"
}

took() {
    seconds=$(($(date +%s) - $1))
    if [ "$seconds" -ge 60 ]; then printf '%d min %d s' $((seconds / 60)) $((seconds % 60)); else printf '%d s' "$seconds"; fi
}

# Steps that only wait for a process leave a core to those that compute, so several run at once. The results of one are lines
# "PASSED FAILED" in a file.
run_step() {
    log=.build/test-logs/$1.log
    began=$(date +%s)
    say "==> $1"
    status=0
    watched "$1" "$log" sh install/test.sh --step "$1" "$long" "$newest" || status=$?
    if [ -e "$log.still" ]; then cat "$log.still"; fi
    counted=$(count "$log" "$status")
    say "$counted" >>.build/test-logs/results
    if [ "$status" -eq 0 ]; then
        : >".build/test-logs/$1.passed"
        say "    $1 passed in $(took "$began") (${counted% *}), processor $(tail -n 1 "$log")"
        sed -n 's/^PASSED /    passed only when run again, alone: /p' "$log"
        return
    fi
    tail -n 60 "$log"
    say "==> $1 FAILED after $(took "$began"); all it said is in $log"
    # They may stand far above the end.
    grep -aE '^✘ .* recorded an issue|^(FAILED|ERROR) |: error: ' "$log" | head -n 20 | cut -c 1-500 || true
}

has_failed() { grep -q ' [1-9]' .build/test-logs/results; }

selected() { case " $selected " in *" $1 "*) ;; *) false ;; esac }

# What a step needs may run in the other lane.
wait_for_needs() {
    for need in $(needs "$1"); do
        if selected "$need"; then
            until [ -e ".build/test-logs/$need.passed" ] || has_failed; do sleep 1; done
        fi
    done
}

# Those of the named steps that were selected, one after another.
run_lane() {
    for step in "$@"; do
        if selected "$step"; then
            wait_for_needs "$step"
            has_failed && return
            run_step "$step"
        fi
    done
}

# Two lanes of about the same length.
run_steps() {
    start=$(date +%s)
    mkdir -p .build/test-logs
    : >.build/test-logs/results
    rm -f .build/test-logs/*.passed
    # In one lane, for one build directory is used by one at a time: `install` comes before `unit`, which would wait for it.
    # `programs` comes last, for it uses two cores when the other lane is over.
    run_lane packages python scripts format build release install unit speed codecs programs &
    run_lane threads endtoend addresses
    wait
    status=0
    has_failed && status=1
    printf '\nall of it took %s\n' "$(took "$start")"
    awk '{ passed += $1; failed += $2 } END { printf "%d passed, %d failed\n", passed, failed }' .build/test-logs/results
    exit "$status"
}

# --- the private environment -----------------------------------------------------------------------------------------

# Short, for a socket's path has 108 bytes; not below a home, and gone at the end.
in_private() {
    private=$(mktemp -d /tmp/cdt.XXXXXX)
    trap 'rm -rf "$private"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    case $private/ in
        "${HOME:-/nonexistent}"/*)
            say "test.sh: $private lies in your home, $HOME, which no test may touch" >&2
            exit 1
            ;;
    esac
    # Others may pass through, for one test runs the relay as another user.
    chmod 711 "$private"
    mkdir "$private/home" "$private/claude" "$private/tmp" "$private/e2e"
    set -- "HOME=$private/home" "CLAUDE_CONFIG_DIR=$private/claude" "CDEV_HOME=$private/cdev" "TMPDIR=$private/tmp" \
        "CDEV_E2E_TMP=$private/e2e" "CDEV_TEST_PRIVATE=$private" LANG=C.UTF-8 SHELL=/bin/sh "TERM=${TERM:-dumb}"
    if [ "$long" = yes ]; then set -- "$@" CDEV_LONG_TESTS=1; fi
    # Nothing else of the caller's comes in: no CLAUDE*, XDG_*, DBUS_* or CDEV_* that could lead to the caller's own.
    for name in $(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p' | sort -u); do
        case $name in
            PATH | USER | PYENV_ROOT | SSL_CERT_* | PIP_* | *_proxy | *_PROXY | CDEV_E2E_NETWORK | CDEV_E2E_PATIENCE)
                eval "set -- \"\$@\" \"$name=\$$name\""
                ;;
        esac
    done
    status=0
    env -i "$@" sh install/test.sh --steps "$selected" "$long" "$newest" || status=$?
    exit "$status"
}

select_steps() {
    selected='' long=no newest=no
    while [ $# -gt 0 ]; do
        case $1 in
            --fast) selected='packages build unit' ;;
            --only)
                case " $all " in
                    *" ${2:-none} "*) selected="$(needs "$2") $2" ;;
                    *) misuse "--only takes one of: $all" ;;
                esac
                shift
                ;;
            --long) long=yes ;;
            --newest-claude) newest=yes ;;
            --help | -h)
                usage
                exit 0
                ;;
            *) misuse "unknown option $1" ;;
        esac
        shift
    done
    if [ -n "$selected" ]; then return; fi
    selected=$all
    # Three minutes of a core.
    if [ "$long" = no ]; then selected=$(say "$all" | sed 's/ addresses//'); fi
}

unset CDPATH
cd -- "$(dirname -- "$0")/.."
. install/test-steps.sh
. install/test-watch.sh
case ${1:-} in
    --steps | --step)
        # Only from in_private, below.
        [ "$HOME" = "${CDEV_TEST_PRIVATE:?is not set}/home" ] || misuse "$1 is not for people"
        selected=$2 long=$3 newest=$4
        if [ "$1" = --steps ]; then run_steps; fi
        # The last line of the log: what the step's programs took of the processor, for the user and in the kernel.
        trap times EXIT
        "step_$2"
        ;;
    *)
        select_steps "$@"
        in_private
        ;;
esac
