# Runs a step of test.sh under watch. This file is read by test.sh, not run, and so has no run bit.

# Seconds between two looks, and looks without a new line in the log after which a step counts as standing still. The
# longest silence of a step that works is the compilation of one module for a release: five minutes on two busy cores.
look=60
patience=12

# Runs a command with its output in a log, and says every minute how far it is. Where it stands still, what its processes
# wait for is written to LOG.still and they are ended: a lock that is never given back shall not use up the time of all.
watched() {
    name=$1 log=$2
    shift 2
    rm -f "$log.still"
    "$@" >"$log" 2>&1 </dev/null &
    command=$!
    watch_log &
    watcher=$!
    status=0
    wait "$command" || status=$?
    kill "$watcher" 2>/dev/null || true
    wait "$watcher" 2>/dev/null || true
    return "$status"
}

watch_log() {
    size=0 silent=0
    # The sleep holds no end of our output, or a reader of it would wait for it.
    while sleep "$look" >/dev/null 2>&1 && kill -0 $$; do
        say "    $name is still at it: $(tail -n 1 "$log" | cut -c 1-100)"
        now=$(wc -c <"$log")
        if [ "$now" -eq "$size" ]; then silent=$((silent + 1)); else silent=0; fi
        size=$now
        if [ "$silent" -ge "$patience" ]; then
            say "    $name stands still and is ended; what it waited for is in $log.still"
            processes=$(descendants "$command")
            what_they_wait_for >"$log.still" 2>&1
            kill -9 $processes 2>/dev/null || true
            return
        fi
    done
}

# A process and all below it.
descendants() {
    say "$1"
    for child in $(pgrep -P "$1"); do descendants "$child"; done
}

what_they_wait_for() {
    ps -o pid,ppid,stat,wchan,etime,args -p "$(say $processes | tr ' ' ,)" | cut -c 1-200
    command -v lldb >/dev/null || return 0
    for process in $processes; do
        case $(ps -o args= -p "$process" | cut -c 1-200) in
            *xctest* | *testing-helper*) timeout 120 lldb --batch -p "$process" -o 'thread backtrace all' | cut -c 1-200 ;;
        esac
    done
}
