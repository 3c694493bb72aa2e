/// Modules that `python3 -m` finds in the directory where it runs before it looks where it is installed.
enum PythonModules {
    /// Names of the own modules of Python 3.9 to 3.14, and of what mypy and ruff load where they find it.
    private static let names: Set<String> = Set(
        """
        abc aifc annotationlib antigravity argparse array ast ast_serialize asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins \
        bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression \
        concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime \
        dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl \
        filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib \
        grp gzip hashlib heapq hmac html http hyperscan idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json \
        keyword lib2to3 librt linecache locale logging lxml lzma mailbox mailcap marshal math mimetypes mmap modulefinder \
        msilib msvcrt multiprocessing mypy mypy_extensions mypyc netrc nis nntplib nt ntpath nturl2path numbers \
        opcode operator optparse orjson os ossaudiodev pathlib pathspec pdb pickle pickletools pip pipes pkg_resources pkgutil platform \
        plistlib poplib posix posixpath pprint profile pstats psutil pty pwd py_compile pyclbr pydoc pydoc_data pyexpat \
        queue quopri random re re2 readline reprlib resource rlcompleter ruff runpy sched secrets select selectors setuptools \
        shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile \
        sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys \
        sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit tkinter \
        token tokenize tomli tomllib trace traceback tracemalloc tty turtle turtledemo types typing typing_extensions \
        unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib \
        xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
        """.split(separator: " ").map(String.init))

    /// True where Python would load this entry of a directory as one of the modules.
    /// - Parameter isPackage: says whether a directory has an `__init__.py`.
    static func may(_ entry: String, beModule isPackage: (String) -> Bool) -> Bool {
        if [".pyc", ".pyd", ".so"].contains(where: entry.hasSuffix) { return true }
        let folded = String(decoding: SensitiveNames.folded(entry.utf8), as: UTF8.self)
        let isFile = folded.hasSuffix(".py")
        let name = isFile ? String(folded.dropLast(3)) : folded
        guard isPart(name) || names.contains(name) else { return false }
        return isFile || isPackage(entry)
    }

    /// A part of Python, `_json`, or of a program that was compiled, `6ec57f84c680d3a3778b__mypyc`: nobody calls a module of a
    /// project so.
    private static func isPart(_ name: String) -> Bool {
        guard let first = name.utf8.first, name != "__init__" else { return false }
        return !ShellCharacters.isLetter(first) || name.hasSuffix("__mypyc")
    }
}

extension Place {
    /// Nothing here plays a module of a program that only looks at code.
    func checkHasNoModules() throws(Refusal) {
        try checkIsKnown("-m")
        guard let found = ground.disk.names(in: resolved.path) else { throw .directory(written) }
        for name in found {
            let isModule = PythonModules.may(name) { name in
                ground.disk.entry(at: PathText.join(resolved.path, name + "/__init__.py")) != .missing
            }
            if isModule { throw .runsByItself(name) }
        }
    }
}
