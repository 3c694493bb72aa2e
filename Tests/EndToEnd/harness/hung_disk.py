"""A disk that hangs: `hung_disk.py DIRECTORY` mounts it there, and each name on it answers nothing until stdin is closed."""
import errno
import stat
import sys
import threading

import fuse


class HungDisk(fuse.Operations):
    def __init__(self):
        self._let_go = threading.Event()
        threading.Thread(target=self._wait_for_end, daemon=True).start()

    def _wait_for_end(self):
        sys.stdin.read()
        self._let_go.set()

    def init(self, path):
        print("mounted", flush=True)

    def getattr(self, path, fh=None):
        if path == "/":
            return {"st_mode": stat.S_IFDIR | 0o755, "st_nlink": 2}
        self._let_go.wait()
        raise fuse.FuseOSError(errno.ENOENT)


if __name__ == "__main__":
    fuse.FUSE(HungDisk(), sys.argv[1], foreground=True, fsname="hung")
