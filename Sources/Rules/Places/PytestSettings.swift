import Text

/// The settings that pytest takes for all its operands together, and those of its coverage plugin.
extension OperandSettings {
    /// Adds what lies above all operands that there are, where pytest looks first, and what the coverage plugin reads where
    /// it runs.
    mutating func lookAsPytest(_ operands: [ShellWord], _ words: [ShellWord]) throws(Refusal) {
        // Older versions follow links, newer ones use the names as written.
        for followsLinks in [true, false] { try lookAboveAll(operands.map(path), followsLinks) }
        guard let own, PathText.same(own, place.resolved.path), measures(words) else { return }
        try add(own)
    }

    /// Adds what lies above all these paths, as far as they exist. Where none does, pytest looks from where it runs.
    private mutating func lookAboveAll(_ paths: [String], _ followsLinks: Bool) throws(Refusal) {
        let (disk, here) = (place.root.disk, place.resolved.path)
        var common: String?
        for path in paths {
            let full = followsLinks ? place.resolve(path).path : PathText.normalize(path, from: here)
            let kind = disk.kind(of: full)
            guard kind != .missing else { continue }
            let directory = kind == .directory ? full : PathText.directory(of: full)
            common = common.map { Self.common($0, directory) } ?? directory
        }
        try lookAbove(common ?? here)
    }

    /// The nearest directory that contains both.
    private static func common(_ one: String, _ other: String) -> String {
        var directory = one
        while !PathText.contains(directory, other), !PathText.same(directory, "/") {
            directory = PathText.directory(of: directory)
        }
        return directory
    }

    /// True if a word, or the settings that are loaded, may start the coverage plugin: it reads its own settings, which name
    /// modules, only where it runs.
    private func measures(_ words: [ShellWord]) -> Bool {
        if words.contains(where: { $0.value.utf8.starts(with: "--cov".utf8) }) { return true }
        return homes.contains { home in
            let directory = PathText.join(place.root.resolved.path, home)
            return place.pytestSettings(in: directory).contains { $0?.holds("--cov") ?? true }
        }
    }
}

/// The part of pytest's settings that decides which files it imports.
extension Place {
    /// True where settings on the way up may have it import files that are not named as tests. It looks above the root, too.
    func collectsEveryFile(in directory: String) -> Bool {
        hasPytestSettings(upFrom: directory, where: Self.asksForEveryFile)
    }

    /// True if settings of which `isSo` holds, or that cannot be read, lie in the directory or above.
    func hasPytestSettings(upFrom directory: String, where isSo: (String) -> Bool) -> Bool {
        PathText.upwards(from: directory).contains { above in
            pytestSettings(in: above).contains { $0.map(isSo) ?? true }
        }
    }

    /// True in the directory of settings that name the tests (`testpaths`): pytest without a word looks there.
    func isToldWhereTestsAre() -> Bool {
        pytestSettings(in: resolved.path).contains { $0?.holds("testpaths") == true }
    }

    /// The texts of settings in a directory; nil for one that cannot be read. None where the directory cannot be listed.
    func pytestSettings(in directory: String) -> [String?] {
        // A line may have hundreds of such commands.
        if let known = root.pytestSettings[directory] { return known }
        let found = (root.disk.names(in: directory) ?? []).filter(Manifests.pytest.contains).map {
            root.disk.text(of: PathText.join(directory, $0), limit: DiskLookups.longestManifest)
        }
        root.pytestSettings[directory] = found
        return found
    }

    /// True if a text of settings has pytest look for doctests in modules, or take every file for one of tests.
    private static func asksForEveryFile(_ text: String) -> Bool {
        if ["doctest-modules", "doctest_modules", "doctest-plus", "doctest_plus"].contains(where: { text.holds($0) }) {
            return true
        }
        var isOfFiles = false
        for line in text.pieces(at: "\n") where !"#;".utf8.contains(line.utf8.first { $0 > 0x20 } ?? 0) {
            if line.holds("python_files") {
                isOfFiles = true
            } else if line.holds("=") || line.holds("[") {
                isOfFiles = false
            }
            if isOfFiles, patterns(in: line).contains(where: { !namesTests($0) }) { return true }
        }
        return false
    }

    private static func patterns(in line: Substring) -> [Substring.UTF8View] {
        line.utf8.split { "\"',[]= \t\r".utf8.contains($0) }.filter { !$0.elementsEqual("python_files".utf8) }
    }

    private static func namesTests(_ pattern: Substring.UTF8View) -> Bool {
        ["test", "spec", "check"].contains { Substring(pattern).holds($0) }
    }
}
