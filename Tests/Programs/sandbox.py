"""Everything runs in namespaces of its own: no network, other processes out of sight, all but one directory read-only."""
import os
import shutil
import subprocess
import sys
import tempfile

import baseline

MARK = "CDEV_PROGRAMS_BASE"
UNSHARE = ["unshare", "--user", "--map-root-user", "--mount", "--net", "--pid", "--ipc", "--uts", "--fork", "--mount-proc",
           "--kill-child"]


def enter(base):
    """Starts this program again inside; returns there, and never outside."""
    if os.environ.get(MARK) == str(base):
        return
    os.environ[MARK] = str(base)
    again = [sys.executable, *sys.argv]
    # Read-only is what stops a false allow from harming more than the scratch directory.
    script = 'mount -o remount,bind,ro=recursive / && mount -t tmpfs -o mode=755 tmpfs "$0"'
    # apt reads for a second in each run what this machine can install, since it can keep no cache of it: here, nothing.
    script += ' && if [ -d /var/lib/apt/lists ]; then mount -t tmpfs tmpfs /var/lib/apt/lists; fi && exec "$@"'
    command = [*UNSHARE, "sh", "-c", script, str(base), *again]
    if subprocess.run([*UNSHARE, "true"], capture_output=True).returncode != 0:
        sys.exit(
            "The kernel gives no namespaces here (unshare --user), so real programs would run unguarded. Allow user "
            "namespaces (sysctl kernel.unprivileged_userns_clone=1) or run as root."
        )
    handed = tempfile.TemporaryFile("w+")
    os.environ[baseline.HANDED] = str(handed.fileno())
    status = subprocess.run(command, pass_fds=[handed.fileno()]).returncode
    handed.seek(0)
    if text := handed.read():
        baseline.keep(text)
    shutil.rmtree(base, ignore_errors=True)
    sys.exit(status)
