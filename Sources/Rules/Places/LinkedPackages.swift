import Text

/// The packages of the project that its `node_modules` has links to, as far as texts load or run them by their names:
/// `require("core")`, `npx tool`.
struct LinkedPackages {
    private let root: SessionRoot
    /// The directories of the packages, relative to the root, without case: all their sources count.
    private var places: [[[UInt8]]] = []
    private var known: Set<[UInt8]> = []
    private lazy var isThere = root.disk.kind(of: modules) == .directory
    private var modules: String { PathText.join(root.resolved.path, "node_modules") }

    /// The most names that are looked up.
    private static let most = 50

    init(_ root: SessionRoot) { self.root = root }

    /// - Parameter text: case folded and without quotation.
    mutating func take(_ text: [UInt8]) {
        guard isThere else { return }
        var last: ArraySlice<UInt8> = []
        for word in text.split(whereSeparator: { !ShellCharacters.isFirstWord($0) }) where known.count < Self.most {
            if word.first == UInt8(ascii: "-") { continue }
            let isScoped = word.startIndex > 0 && text[word.startIndex - 1] == UInt8(ascii: "@")
            if Self.loaders.contains(Array(last)) { takePackage(word, isScoped: isScoped) }
            if Self.runners.contains(Array(last)) { takeProgram(word) }
            last = word
        }
    }

    private mutating func takePackage(_ word: ArraySlice<UInt8>, isScoped: Bool) {
        let parts = word.split(separator: UInt8(ascii: "/")).prefix(isScoped ? 2 : 1)
        guard word.first != UInt8(ascii: "."), word.first != UInt8(ascii: "/"), !parts.isEmpty else { return }
        look(for: (isScoped ? [UInt8(ascii: "@")] : []) + Array(parts.joined(separator: [UInt8(ascii: "/")])))
    }

    private mutating func takeProgram(_ word: ArraySlice<UInt8>) {
        guard let name = word.split(separator: UInt8(ascii: "/")).last else { return }
        look(for: Array(".bin/".utf8) + name)
        look(for: Array(name))
    }

    private mutating func look(for name: [UInt8]) {
        guard known.insert(name).inserted else { return }
        let path = PathText.join(modules, String(decoding: name, as: UTF8.self))
        let kind = root.disk.kind(of: path)
        guard kind == .file || kind == .directory else { return }
        var directory = root.resolve(path).path
        // Of a program its package's directory counts.
        if kind == .file {
            directory = PathText.directory(of: directory)
            while PathText.contains(root.resolved.path, directory),
                root.disk.kind(of: PathText.join(directory, "package.json")) != .file
            {
                directory = PathText.directory(of: directory)
            }
        }
        let parts = PathText.components(root.belowRoot(directory)).map { SensitiveNames.folded($0) }
        let isInstalled = parts.contains { $0.elementsEqual("node_modules".utf8) }
        if PathText.contains(root.resolved.path, directory), !isInstalled { places.append(parts) }
    }

    /// - Parameter path: relative to the root if the file lies below it.
    func contain(_ path: Substring.UTF8View) -> Bool {
        guard !places.isEmpty else { return false }
        let parts = PathText.components(path).map { SensitiveNames.folded($0) }
        return parts.last.map(FileKinds.javaScript.contain) == true && places.contains { parts.starts(with: $0) }
    }

    private static let loaders = Set(["from", "import", "require"].map { Array($0.utf8) })
    private static let runners = Set(
        ["bunx", "dlx", "exec", "npx", "pnpm", "pnpx", "run", "yarn"].map { Array($0.utf8) })
}
