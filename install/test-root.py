#!/usr/bin/env python3
"""Makes a minimal Debian without Swift from the packages of this machine: install/test-root.py ROOT [PACKAGE...]

ROOT gets the essential packages, those named, and all they depend on, with their files and their entries in dpkg's
status. Nothing is downloaded.
"""
import pathlib
import re
import subprocess
import sys

STATUS = pathlib.Path("/var/lib/dpkg/status")
# Nothing runs by these, and they are most of the files.
LEFT_OUT = ("/usr/share/doc/", "/usr/share/locale/", "/usr/share/man/", "/usr/share/info/")


def fields(stanza):
    unfolded = re.sub(r"\n[ \t]", " ", stanza)
    return dict(line.split(": ", 1) for line in unfolded.splitlines() if ": " in line)


def alternatives(text):
    """The dependencies of a package, each a list of names of which one is enough."""
    return [[re.split(r"[ (:\[]", name.strip(), maxsplit=1)[0] for name in part.split("|")]
            for part in text.split(",") if part.strip()]


def closure(packages, wanted):
    provided = {name: package for package, (_, entry) in packages.items()
                for group in alternatives(entry.get("Provides", "")) for name in group}
    found, rest = {}, list(wanted)
    while rest:
        name = rest.pop()
        name = name if name in packages else provided.get(name, name)
        if name in found or name not in packages:
            continue
        found[name] = packages[name]
        entry = packages[name][1]
        for group in alternatives(entry.get("Depends", "") + "," + entry.get("Pre-Depends", "")):
            rest.append(next((one for one in group if one in packages), group[0]))
    return found


def main():
    root, *wanted = sys.argv[1:]
    packages = {}
    for stanza in STATUS.read_text().split("\n\n"):
        entry = fields(stanza)
        if entry.get("Status") == "install ok installed":
            packages[entry["Package"]] = (stanza, entry)
    wanted += [name for name, (_, entry) in packages.items() if entry.get("Essential") == "yes"]
    found = closure(packages, wanted)
    root = pathlib.Path(root)
    for name in ("bin", "lib", "lib64", "sbin"):
        (root / "usr" / name).mkdir(parents=True, exist_ok=True)
        (root / name).symlink_to("usr/" + name)
    info = root / "var/lib/dpkg/info"
    info.mkdir(parents=True)
    for name in ("dev", "etc", "home", "proc", "root", "run", "tmp", "var/lib/dpkg/updates", "var/log"):
        (root / name).mkdir(parents=True, exist_ok=True)
    (root / "var/lib/dpkg/status").write_text("".join(stanza.strip() + "\n\n" for stanza, _ in found.values()))
    (root / "tmp").chmod(0o1777)
    files = []
    for name, (_, entry) in found.items():
        listed = next(path for path in (f"/var/lib/dpkg/info/{name}.list",
                                        f"/var/lib/dpkg/info/{name}:{entry['Architecture']}.list")
                      if pathlib.Path(path).exists())
        (info / pathlib.Path(listed).name).write_bytes(pathlib.Path(listed).read_bytes())
        files += [path for path in pathlib.Path(listed).read_text().splitlines()
                  if path != "/." and not path.startswith(LEFT_OUT)
                  and (pathlib.Path(path).is_symlink() or pathlib.Path(path).is_file())]
    # The files that the packages' own scripts made.
    files += [path for path in ("/bin/sh", "/etc/ld.so.cache", "/usr/bin/awk", "/etc/alternatives/awk")
              if pathlib.Path(path).exists()]
    pack = subprocess.Popen(["tar", "-C", "/", "-cf", "-", "--no-recursion", "--null", "-T", "-"],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    unpack = subprocess.Popen(["tar", "-C", str(root), "--keep-directory-symlink", "-xf", "-"], stdin=pack.stdout)
    pack.stdin.write(b"\0".join(path.lstrip("/").encode() for path in files))
    pack.stdin.close()
    pack.stdout.close()
    if unpack.wait() or pack.wait() not in (0, 1):
        sys.exit(f"the files could not be copied to {root}")
    (root / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\nperson:x:1000:1000::/home/person:/bin/sh\n")
    (root / "etc/group").write_text("root:x:0:\nperson:x:1000:\n")
    (root / "etc/nsswitch.conf").write_text("passwd: files\ngroup: files\nhosts: files\n")
    (root / "etc/hosts").write_text("127.0.0.1 localhost\n")


if __name__ == "__main__":
    main()
