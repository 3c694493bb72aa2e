import Text

/// The packages of the project that its `node_modules` has links to, as far as texts load or run them by their names:
/// `require("core")`, `npx tool`.
struct LinkedPackages {
    private let root: SessionRoot
    /// The directories of the packages, relative to the root, without case: all their sources count.
    private var places: [[[UInt8]]] = []
    private var known: Set<[UInt8]> = []
    private lazy var isThere = root.disk.kind(of: modules) == .directory
    /// The names of links, without case; nil where there are too many names.
    private lazy var links = root.disk.entries(in: modules, atMost: Self.mostNames).map { entries in
        Set(entries.filter { $0.kind == .link }.map { SensitiveNames.folded($0.name.utf8) })
    }
    private var modules: String { PathText.join(root.resolved.path, "node_modules") }

    /// The most names that are looked up.
    private static let most = 100
    private static let mostNames = 3000

    init(_ root: SessionRoot) { self.root = root }

    /// - Parameter names: those of packages, or of programs.
    mutating func take(_ names: [[UInt8]]) {
        guard !names.isEmpty, isThere else { return }
        for name in names where known.count < Self.most && known.insert(name).inserted {
            if name.first == UInt8(ascii: "@") || links?.contains(name) != false { look(for: name) }
            if !name.contains(UInt8(ascii: "/")) { look(for: Array(".bin/".utf8) + name) }
        }
    }

    private mutating func look(for name: [UInt8]) {
        let path = PathText.join(modules, String(decoding: name, as: UTF8.self))
        let kind = root.disk.kind(of: path)
        guard kind == .file || kind == .directory else { return }
        var directory = root.resolve(path).path
        // A program counts with its package's directory.
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
}
