/// The text that `--help` prints.
let help: StaticString = """
    usage: cdev-hook [--socket PATH] [--on-failure continue|block] [--observe]

    Takes the hook input on stdin to the cdev daemon and prints the daemon's answer.
    Claude Code runs it through permission.sh and forward.sh.

      --socket PATH         the daemon's socket; without it $CDEV_SOCKET, else
                            $CDEV_HOME/cdev.sock, else $HOME/.cdev/cdev.sock.
                            With it, no CDEV_ variable is read.
      --on-failure continue where no answer comes, print nothing: Claude Code asks
                            as it does without cdev (the default)
      --on-failure block    where no answer comes, refuse the tool call
      --observe             hand the event over, print nothing, do not wait
      --help, --version     print this, or the version

    For tests, in milliseconds: --first-byte-ms (2000), --search-ms (5000),
    --grace-ms (30000), --total-ms (86250000).

    Exit status: 0; 1 for wrong usage or a reader that has left. Never 2.

    """
