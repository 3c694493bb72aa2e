import Text

/// The modules that Python imports for the files that unittest and pytest are given.
///
/// Both import a file by a module's name. Python takes for it what it finds first under that name: a package, then a compiled
/// module, then the file. A directory without `__init__.py` counts only where nothing else on `sys.path` has its name. See
/// "The import system", 5.2.2, 5.4.5 and 5.5.2 in Python's reference.
extension Place {
    /// True if each directory on the way to a file is a package, so that no other can take its place. Throws where Python
    /// would import another file that lies there.
    /// - Parameter path: relative, without `..`.
    func isOfPackages(pythonFile path: String) throws(Refusal) -> Bool {
        let full = PathText.normalize(path, from: resolved.path)
        let isOfPackages = try isOfPackages(directory: PathText.directory(of: full))
        try checkIsImported(pythonFile: full)
        return isOfPackages
    }

    /// The same for a directory below this one.
    func isOfPackages(directory path: String) throws(Refusal) -> Bool {
        let full = PathText.normalize(path, from: resolved.path)
        guard let below = PathText.remainder(of: full, below: resolved.path) else { return false }
        var directory = resolved.path
        var isOfPackages = true
        for (index, part) in PathText.components(below).enumerated() {
            let name = String(Substring(part))
            guard index > 0 || !PythonModules.loaded.contains(name) else { throw .operand(full) }
            if try !isPackage(name, in: directory) { isOfPackages = false }
            directory = PathText.join(directory, name)
        }
        return isOfPackages
    }

    private func isPackage(_ name: String, in directory: String) throws(Refusal) -> Bool {
        let path = PathText.join(directory, name)
        let isPackage = root.disk.kind(of: PathText.join(path, "__init__.py")) == .file
        let others = isPackage ? PythonModules.compiled : PythonModules.all
        guard try !holdsModule("__init__", in: path, endingIn: others) else { throw .operand(path) }
        guard !isPackage else { return true }
        guard try !holdsModule(name, in: directory, endingIn: PythonModules.all) else { throw .operand(path) }
        return false
    }

    /// Throws where Python would import a package or a compiled module in place of the file.
    func checkIsImported(pythonFile full: String) throws(Refusal) {
        guard let name = PathText.components(full).last, name.count > 3 else { return }
        let stem = String(Substring(name).dropLast(3))
        let directory = PathText.directory(of: full)
        if try holdsModule(stem, in: directory, endingIn: PythonModules.compiled) { throw .operand(full) }
        let package = PathText.join(directory, stem)
        guard root.disk.kind(of: package) == .directory else { return }
        if try holdsModule("__init__", in: package, endingIn: PythonModules.all) { throw .operand(full) }
    }

    /// True if a directory holds `stem.SUFFIX` or `stem.TAG.SUFFIX`: `x.cpython-312-x86_64-linux-gnu.so`.
    func holdsModule(_ stem: String, in directory: String, endingIn suffixes: [String]) throws(Refusal) -> Bool {
        guard let names = root.disk.names(in: directory) else { throw .operand(directory) }
        guard root.disk.spend(bytes: names.count * DiskLookups.bytesOfName) else { throw .tooMuch }
        let start = SensitiveNames.folded((stem + ".").utf8)
        return names.contains { name in
            let name = SensitiveNames.folded(name.utf8)
            return name.starts(with: start) && suffixes.contains { name.suffix($0.utf8.count).elementsEqual($0.utf8) }
        }
    }

    /// True where settings on the way up may have pytest take words for the names of modules (`--pyargs`), which it imports.
    func mayTakeModules(upFrom directory: String) -> Bool {
        hasPytestSettings(upFrom: directory) { $0.holds("pyargs") }
    }
}

enum PythonModules {
    /// Suffixes that Python prefers to `.py`.
    static let compiled = [".so", ".pyd"]
    static let all = compiled + [".py", ".pyc", ".pyw"]
    /// What Python has imported when it begins to import tests, in some version from 3.8 on: a package of the project under
    /// such a name is never found.
    static let loaded: Set<String> = Set(
        """
        abc argparse array ast asyncio atexit base64 binascii bisect builtins bz2 codecs collections concurrent contextlib \
        contextvars copy copyreg dataclasses datetime difflib dis encodings enum errno fcntl fnmatch functools genericpath \
        gettext grp heapq hashlib importlib inspect io ipaddress itertools json keyword linecache locale logging lzma marshal \
        math multiprocessing ntpath opcode operator os pathlib pickle posix posixpath pprint pwd queue random re reprlib \
        resource runpy select selectors shutil signal site socket sre_compile sre_constants sre_parse ssl stat string struct \
        subprocess sys tempfile textwrap threading time token tokenize traceback types typing unittest urllib warnings \
        weakref zipfile zipimport zlib
        """.split(separator: " ").map(String.init))
}
