/// Modules that `python3 -m` finds in the directory where it runs before it looks where it is installed.
enum PythonModules {
    /// Names of Python 3.12's own modules, and of what mypy and ruff load.
    private static let names: Set<String> = Set(
        """
        abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins \
        bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall \
        concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime \
        dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl \
        filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib \
        grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib inspect io ipaddress itertools json \
        keyword librt linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder \
        msilib msvcrt multiprocessing mypy mypy_extensions orjson annotationlib compression mypyc netrc nis nntplib nt ntpath nturl2path numbers \
        opcode operator optparse os ossaudiodev pathlib pathspec pdb pickle pickletools pipes pkgutil platform \
        plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat \
        queue quopri random re readline reprlib resource rlcompleter ruff runpy sched secrets select selectors \
        shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile \
        sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys \
        sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit tkinter \
        token tokenize tomli tomllib trace traceback tracemalloc tty turtle types typing typing_extensions \
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
        // Python's own parts: `_json`.
        guard name.hasPrefix("_") && name != "__init__" || names.contains(name) else { return false }
        return isFile || isPackage(entry)
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
