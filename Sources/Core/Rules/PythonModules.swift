/// Modules that `python3 -m` finds in the directory where it runs before it looks where it is installed.
enum PythonModules {
    /// Names under which nothing is looked for by a program that only looks at code. Of those that Python's own modules and
    /// mypy's try, found or not, there is no end: `org.python.core`, `6ec57f84c680d3a3778b__mypyc`.
    private static let harmless: Set<String> = [
        "__init__", "app", "asgi", "conftest", "docs", "example", "examples", "fabfile", "main", "manage", "noxfile",
        "run",
        "scripts", "setup", "src", "tasks", "test", "tests", "tools", "wsgi",
    ]
    /// Directories that are modules without an `__init__` file, too: `copy` and `pickle` try `org.python.core`.
    private static let namespaces: Set<String> = ["clr", "com", "java", "javax", "org", "system"]
    private static let suffixes = [".py", ".pyc", ".pyd", ".so"]

    /// True where Python may load this entry of a directory as a module.
    /// - Parameter isPackage: says whether a directory has an `__init__` file.
    static func may(_ entry: String, beModule isPackage: (String) -> Bool) -> Bool {
        let folded = String(decoding: SensitiveNames.folded(entry.utf8), as: UTF8.self)
        guard let suffix = suffixes.first(where: folded.hasSuffix) else {
            return namespaces.contains(folded) || !harmless.contains(folded) && isPackage(entry)
        }
        return suffix != ".py" || !harmless.contains(String(folded.dropLast(3)))
    }
}

extension Place {
    /// Nothing here plays a module of a program that only looks at code.
    func checkHasNoModules() throws(Refusal) {
        try checkIsWhole("-m")
        guard let found = ground.disk.names(in: resolved.path) else { throw .directory(written) }
        if let module = found.first(where: { PythonModules.may($0, beModule: isPackage) }) {
            throw .runsByItself(module)
        }
    }

    private func isPackage(_ name: String) -> Bool {
        let directory = PathText.join(resolved.path, name)
        guard ground.disk.kind(of: directory) == .directory else { return false }
        // What cannot be listed may be one.
        return ground.disk.names(in: directory)?.contains {
            SensitiveNames.folded($0.utf8).starts(with: "__init__.".utf8)
        } ?? true
    }
}
