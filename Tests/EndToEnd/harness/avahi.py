"""A machine's Avahi with a bus of its own: nothing of it is seen outside."""
import os
import re
import signal
import subprocess

import pytest

from .sandbox import SYSTEM_PATH
from .waiting import PATIENCE, until

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={path}</listen><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
"""
CONFIGURATION = "[server]\nhost-name=heron\nuse-ipv6=no\n[publish]\npublish-hinfo=no\npublish-workstation=no\n"


class Avahi:
    def __init__(self, box):
        self.box, self.path = box, box.root / "bus"
        (box.root / "bus.conf").write_text(BUS.format(path=self.path))
        (box.root / "avahi.conf").write_text(CONFIGURATION)
        self.environment = {"DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={self.path}", "PATH": SYSTEM_PATH}
        self._run("bus", "dbus-daemon", f"--config-file={box.root / 'bus.conf'}", "--nofork")
        until(self.path.exists, "the bus", 10)
        self.start()

    def start(self):
        """It keeps its number in /run, so that is another one."""
        self.daemon = self._run(
            "avahi", "unshare", "--mount", "sh", "-c",
            f"mount -t tmpfs none /run && exec /usr/sbin/avahi-daemon -f {self.box.root}/avahi.conf --no-drop-root --no-chroot --no-rlimits")

        def serves():
            if self.daemon.poll() is not None:
                pytest.skip(f"Avahi does not run here: {self.said('avahi')}")
            return "startup complete" in self.said("avahi")

        until(serves, lambda: self.said("avahi"), 10)

    def stop(self):
        self.daemon.send_signal(signal.SIGTERM)
        self.daemon.wait(10 * PATIENCE)

    def said(self, name):
        return (self.box.root / f"{name}.txt").read_text(errors="replace")

    def _run(self, name, *words):
        with open(self.box.root / f"{name}.txt", "wb") as sink:
            process = subprocess.Popen(
                words, env=self.box.env(**self.environment), stdin=subprocess.DEVNULL, stdout=sink, stderr=sink, start_new_session=True)
        self.box.on_close(lambda: process.poll() is None and os.kill(process.pid, signal.SIGTERM))
        return process

    def publish(self, name, kind, port):
        """Another service of that name."""
        return self._run("other", "avahi-publish-service", name, kind, str(port))

    def services(self, kind):
        """Name, port and texts of the services of this type."""
        output = subprocess.run(
            ["avahi-browse", "-rpt", kind], env=self.box.env(**self.environment), capture_output=True, text=True, timeout=60).stdout
        fields = [line.split(";", 9) for line in output.splitlines() if line.startswith("=")]
        return sorted({(re.sub(r"\\(\d{3})", lambda code: chr(int(code[1])), one[3]), int(one[8]), one[9]) for one in fields})
