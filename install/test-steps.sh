# The steps of test.sh: what each of them needs and does. `test.sh --help` says what they are for. This file is read by
# test.sh, not run, and so has no run bit.

packages='avahi-daemon avahi-utils chromium curl dbus-daemon git libavahi-client-dev libc6-dev libcmark-dev libcurl4-openssl-dev libevent-dev libfuse2 libpng-dev libqrencode-dev libsqlite3-dev libssl-dev'
packages="$packages nghttp2-server nginx-light openssl pkg-config python3-venv shfmt strace tmux valgrind wget zsh"
packages="$packages bsdextrautils file jq lsb-release make mawk ncal ninja-build procps ripgrep tree zlib1g-dev"
codec_peers='h11==0.16.0 wsproto==1.3.2'
# Tested under the sanitizers: what has threads; and what calls C or reads memory by pointers. --long gives both all of it.
threaded='Agents Crypto Daemon Host Loop Notify Platform Services Store Transport'
native='Crypto Host Loop Markdown Notify Platform QRCode Store Transport Wire'
pure='^(Commands|Core|Crypto|Dialects|OrderedJSON|QRCode|Rules|TerminalView|Text|Wire)Tests[.]'
checked='--explicit-target-dependency-import-check error'
# As install.sh builds, in the same directory; with any other option everything would be built anew.
release='-c release'
if [ "$(uname)" = Linux ]; then release="$release --static-swift-stdlib"; fi

step_packages() {
    command -v apt-get >/dev/null || {
        say "not Debian: please see to these yourself: $packages"
        return
    }
    missing=''
    for package in $packages; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' ||
            missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    say "missing:$missing"
    as_root=''
    if [ "$(id -u)" -ne 0 ]; then as_root=sudo; fi
    $as_root apt-get update -q || say 'apt-get update failed; trying with the package lists that are there'
    # Unquoted: a list of names.
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -q --no-install-recommends $missing
}

step_python() {
    wanted=$(python3 --version && cat Tests/EndToEnd/requirements.txt && say "$codec_peers")
    if [ "$(cat .build/venv/wanted 2>/dev/null)" != "$wanted" ]; then
        rm -rf .build/venv
        python3 -m venv .build/venv
        .build/venv/bin/pip install --progress-bar off -r Tests/EndToEnd/requirements.txt $codec_peers
        say "$wanted" >.build/venv/wanted
    fi
    if [ "$newest" = yes ]; then
        rm -rf .build/claude-newest
        .build/venv/bin/pip install --progress-bar off --no-deps --target .build/claude-newest claude-agent-sdk
    fi
}

step_scripts() {
    for script in hooks/*.sh install/*.sh; do sh -n "$script"; done
    bash -n .ci/run
    shfmt -ln posix -i 4 -ci -d hooks install/*.sh
    shfmt -ln bash -i 4 -ci -d .ci/run
}

step_format() {
    swift format lint --strict --parallel --recursive Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources
}

step_build() { swift build --build-tests $checked; }

# What users run, for the steps that look at it from outside. Copied, for `install` and `speed` link it once more meanwhile.
step_release() {
    mkdir -p .build/tested
    for product in cdev cdev-hook push-probe rule-probe; do
        swift build $release --product "$product"
        cp -f ".build/release/$product" .build/tested/
    done
}

# What has no socket, process or deadline runs beside each other, as many as there are cores: begun all at once, tests would
# spend their time limits waiting for each other. The rest one test after another: on two busy cores its deadlines would
# pass.
step_unit() {
    SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(getconf _NPROCESSORS_ONLN) \
        swift test --skip-build $checked --filter "$pure"
    swift_tests --skip "$pure" -- --skip-build --no-parallel $checked
}

# Those of the selection before `--`, with the options behind it. The machine may be too busy for a deadline, so up to three
# that failed are run again by themselves; who passes then is named.
swift_tests() {
    selection=''
    while [ "$1" != -- ]; do
        selection="$selection $1"
        shift
    done
    shift
    results=.build/test-logs/results.$$-swift-testing.xml
    rm -f "$results"
    set -- "$@" --xunit-output ".build/test-logs/results.$$.xml"
    status=0
    # Unquoted: options and patterns without blanks.
    swift test "$@" $selection || status=$?
    # A process that ended before its tests did has written none.
    if [ "$status" -eq 0 ] || [ ! -e "$results" ]; then return "$status"; fi
    failed=$(sed -n '/<testcase/h; /<failure/{x; s/.*classname="\([^"]*\)" name="\([^"]*\)".*/\1\/\2/p; x;}' "$results" | sort -u)
    run_again=$(printf '%s\n' "$failed" | grep -c /) || return "$status"
    [ "$run_again" -le 3 ] || return "$status"
    say "==> again: $run_again failed beside others; alone they tell whether the machine was only too busy"
    pattern=$(printf '%s\n' "$failed" | sed 's/[][().*^$+?{}|\\]/\\&/g' | paste -sd '|' -)
    rm -f "$results"
    swift test "$@" --filter "^($pattern)" || return
    # A pattern that finds none of them passes, too.
    [ "$(grep -c '<testcase' "$results")" -ge "$run_again" ] || return "$status"
    printf '%s\n' "$failed" | sed 's/^/PASSED /'
}

# Here too, for the same reason.
step_threads() {
    export TSAN_OPTIONS=halt_on_error=1
    sanitize thread "$threaded"
}

# Not leaks: what a test leaves hanging in a task when the process ends counts as one there.
step_addresses() {
    export ASAN_OPTIONS=detect_leaks=0
    sanitize address "$native"
}

# A build of its own, of these tests alone (see Package.swift), with what a report needs to name a line, and fewer of the
# generated cases.
sanitize() {
    tests=$2
    if [ "$long" = yes ]; then tests="$threaded $native"; fi
    export CDEV_SANITIZED=1 CDEV_TESTS="$tests"
    swift_tests -- --sanitize "$1" --scratch-path ".build/$1" --no-parallel -Xswiftc -gline-tables-only
}

step_codecs() {
    for comparison in Tests/EndToEnd/codecs/compare_*.py; do
        if [ "$long" = yes ]; then set -- --count 500000; else set --; fi
        .build/venv/bin/python "$comparison" "$@"
    done
}

step_programs() {
    venv=.build/programs/venv
    wanted=$(python3 --version && cat Tests/Programs/requirements.txt)
    if [ "$(cat "$venv/wanted" 2>/dev/null)" != "$wanted" ]; then
        python3 -m venv --clear "$venv"
        "$venv/bin/pip" install --progress-bar off -r Tests/Programs/requirements.txt
        say "$wanted" >"$venv/wanted"
    fi
    if [ "$long" = yes ]; then
        sh install/long-programs.sh
        set -- --long
    fi
    # The same lines in every run.
    PYTHONHASHSEED=0 CDEV_BIN_DIR=$PWD/.build/tested python3 Tests/Programs/run.py "$@"
}

step_endtoend() {
    if [ "$newest" = yes ]; then
        CDEV_E2E_CLAUDE=$PWD/.build/claude-newest/claude_agent_sdk/_bundled/claude
        export CDEV_E2E_CLAUDE
        "$CDEV_E2E_CLAUDE" --version
    fi
    # A machine may be busy; only what fails takes longer by it. Most of a test is waiting, so four run at a time;
    # six browsers would leave nothing to the tests of the other lane, which have time limits.
    status=0
    end_to_end -n 4 || status=$?
    run_again=$(grep -c :: "$failed_before" 2>/dev/null) || return "$status"
    # Status 1 is that of failed tests; any other is none of theirs.
    if [ "$status" -ne 1 ] || [ "$run_again" -gt 3 ]; then return "$status"; fi
    say "==> again: $run_again failed beside others; alone they tell whether the machine was only too busy"
    end_to_end --last-failed -rpf
}

# As run.py has it.
failed_before=.build/pytest/v/cache/lastfailed
end_to_end() {
    CDEV_E2E_PATIENCE=${CDEV_E2E_PATIENCE:-3} CDEV_BIN_DIR=$PWD/.build/tested .build/venv/bin/python \
        Tests/EndToEnd/run.py "$@"
}

step_install() {
    python3 Tests/EndToEnd/run.py --command install/test-install.sh
    python3 Tests/EndToEnd/run.py --command install/test-package.sh
}

# Short behind `release`, which builds the same. Not on a toolchain that the baseline is not of.
step_speed() {
    python3 Tests/Performance/check.py --comparable || return 0
    for product in cdev cdev-hook cdev-counts; do CDEV_COUNTS=yes swift build $release --product "$product"; done
    python3 Tests/Performance/check.py
}

# What a step needs to have run before it.
needs() {
    case $1 in
        packages) ;;
        python | scripts | format | build | threads | addresses) say packages ;;
        install) say packages python ;;
        release) say packages ;;
        programs) say packages release ;;
        speed | unit) say packages build ;;
        codecs) say packages python build ;;
        endtoend) say packages python release ;;
    esac
}
