/// Modules that checkers of Python load from their working directory: their worker processes are started by `python -c` or
/// `python -m`, which look there first. So it is with black and flake8 where processes are not forked (macOS; since Python 3.14
/// everywhere), with mypy where its settings say `num_workers`, with pyright where it gets its own node, and with old versions
/// of poetry.
enum WorkerModules {
    private static let checkers: Set<String> = ["basedpyright", "black", "flake8", "isort", "mypy", "pyright"]

    /// The first of a row's words that may load such modules.
    static func checker(among words: [String]) -> String? {
        words.first { checkers.contains($0) } ?? (words.first == "poetry" ? "poetry" : nil)
    }

    /// Throws where a file of the working directory may be loaded in place of a module, behind `uv run` and the like, too.
    static func check(_ row: CommandRow, in place: Place) throws(Refusal) {
        guard let checker = row.checker, !row.runsTests, !place.root.isAnywhere else { return }
        try place.checkIsWhole(checker)
        try place.checkIsKnown(checker)
        // A line may have hundreds of such commands.
        let key = checker + " " + place.resolved.path
        let known = place.root.loadedModules[key]
        let found = if let known { known } else { try module(for: checker, in: place) }
        place.root.loadedModules.updateValue(found, forKey: key)
        if let found { throw .runsByItself(found) }
    }

    /// The name of a file that may be loaded, or of settings that have mypy load any; nil where there is none.
    private static func module(for checker: String, in place: Place) throws(Refusal) -> String? {
        guard let found = place.root.disk.names(in: place.resolved.path) else { throw .directory(place.written) }
        for name in found where try isModule(name, in: place) { return name }
        return checker == "mypy" ? settingsWithWorkers(of: place) : nil
    }

    /// The settings that have mypy start workers, which import its plugins and what these import from the working directory.
    private static func settingsWithWorkers(of place: Place) -> String? {
        let disk = place.root.disk
        let paths = PathText.upwards(from: place.resolved.path).lazy.flatMap { directory in
            settingsOfMypy.map { PathText.join(directory, $0) }
        }
        return paths.first { path in
            guard disk.kind(of: path) != .missing else { return false }
            let text = disk.text(of: path, limit: DiskLookups.longestManifest, isOnlySearched: true)
            return text?.holds("num_workers") ?? true
        }
    }

    private static let settingsOfMypy = [".mypy.ini", "mypy.ini", "pyproject.toml", "setup.cfg"]

    private static func isModule(_ name: String, in place: Place) throws(Refusal) -> Bool {
        let folded = SensitiveNames.folded(name.utf8)
        let stem = folded.prefix { $0 != UInt8(ascii: ".") }
        // Python's library has many that begin so.
        let isInner = stem.first == UInt8(ascii: "_") && !ofPackages.contains(Array(stem))
        guard isInner || names.contains(Array(stem)) else { return false }
        if stem.count < folded.count {
            return PythonModules.all.contains { folded.suffix($0.utf8.count).elementsEqual($0.utf8) }
        }
        // A directory without such a file is found last.
        let path = PathText.join(place.resolved.path, name)
        guard place.root.disk.kind(of: path) == .directory else { return false }
        return try place.holdsModule("__init__", in: path, endingIn: PythonModules.all)
    }

    private static let ofPackages = ["__init__", "__main__"].map { Array($0.utf8) }

    /// Those of Python's own library in some version since 3.8 (`sys.stdlib_module_names`) but for `test`, which nothing
    /// else loads, and those that these checkers are made of.
    private static let names = Set(
        """
        abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii \
        bisect builtins bz2 calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall \
        compression concurrent configparser contextlib contextvars copy copyreg cprofile crypt csv ctypes curses dataclasses \
        datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp \
        fileinput fnmatch formatter fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip \
        hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword \
        lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt \
        multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev parser \
        pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd \
        py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched \
        secrets select selectors shelve shlex shutil signal site sitecustomize smtpd smtplib sndhdr socket socketserver \
        spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau \
        symbol symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time \
        timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata \
        unittest urllib usercustomize uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml \
        xmlrpc zipapp zipfile zipimport zlib zoneinfo \
        aiohttp black blackd blib2to3 click colorama flake8 importlib_metadata isort librt mccabe mypy mypy_extensions mypyc nodeenv \
        packaging pathspec platformdirs pycodestyle pyflakes pytokens tokenize_rt tomli typing_extensions uvloop zipp
        """.split { " \n".utf8.contains($0.utf8.first ?? 0) }.map { Array($0.utf8) })
}
