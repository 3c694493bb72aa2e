import OrderedJSON
import Text

/// The places that a call of Glob or Grep searches, as deny rules see them.
///
/// Claude Code leaves files that its own `Read` rules deny out of what a search finds, and refuses to search a denied
/// directory. A hook can only answer for the whole call: one that is led to a denied place is denied, and a person is asked
/// about one that may come to it on its way.
struct DeniedSearch {
    /// Where a path or the plain front of a pattern leads, after links and as written. Case-folded.
    private var starts: Set<String> = []
    /// Everything below is searched.
    private var areas: Set<String> = []
    /// True where nobody can tell what is searched, as with a pattern that is longer than a path may be.
    private var isAnywhere = false
    /// The endings of the names that are searched, case-folded; nil for all names.
    private var ends: [[UInt8]]?
    private let root: SessionRoot
    /// The most globs that are followed to the places they name, each of which asks the disk.
    private static let mostGlobs = 64

    /// Nil for other tools.
    init?(tool: String, input: JSON, root: SessionRoot) {
        guard tool == "Glob" || tool == "Grep" else { return nil }
        self.root = root
        guard let path = FileTools.deniedPath(tool: tool, input: input, context: root.context) else {
            isAnywhere = true
            return
        }
        if tool == "Glob" { takePattern(input["pattern"], from: path) } else { takeGlobs(input["glob"], from: path) }
    }

    /// - Parameter rule: a rule of the same tool, or of `Read`.
    func isForbidden(by rule: Pattern) -> Bool {
        guard let subject = Self.subject(of: rule) else { return false }
        return starts.contains { PathText.contains(subject, $0) }
    }

    /// True if the search may come to what the rule names.
    func mayReach(_ rule: Pattern) -> Bool {
        guard let subject = Self.subject(of: rule) else { return false }
        if isAnywhere { return true }
        // A directory that was denied to a search is the subject of a rule for one file, too.
        if let ends, rule.kind == .file, PathText.same(rule.tool, "Read"),
            !ends.contains(where: { Array(subject.utf8).suffix($0.count).elementsEqual($0) })
        {
            return false
        }
        return areas.contains { PathText.contains($0, subject) || PathText.contains(subject, $0) }
    }

    private static func subject(of rule: Pattern) -> String? {
        rule.kind == .tree || rule.kind == .file ? folded(rule.subject) : nil
    }

    private static func folded(_ path: String) -> String {
        String(decoding: SensitiveNames.folded(path.utf8), as: UTF8.self)
    }

    // MARK: - Reading the input

    /// Glob searches where an absolute pattern begins, whatever its `path`.
    private mutating func takePattern(_ value: JSON?, from path: String) {
        guard let text = value?.stringValue, text.utf8.count < DiskLookups.longestPath else {
            isAnywhere = true
            return
        }
        let pattern = GlobFront(text, home: root.context.home)
        let place = pattern.place(from: path)
        starts = spellings(place)
        // A pattern without a slash stands for names at any depth.
        areas = spellings(text.utf8.contains(UInt8(ascii: "/")) ? place : path)
        isAnywhere = pattern.mayLeave
        if let narrow = SearchGlobs.narrowEnds(of: text) { ends = narrow }
    }

    /// Grep searches below its `path`, and leaves names out of it by its globs.
    private mutating func takeGlobs(_ value: JSON?, from path: String) {
        areas = spellings(path)
        starts = areas
        guard let value else { return }
        guard let text = value.stringValue, text.utf8.count < DiskLookups.longestPath else {
            isAnywhere = true
            return
        }
        let globs = Self.globs(in: text)
        guard globs.count <= Self.mostGlobs else {
            isAnywhere = true
            return
        }
        var narrow: [[UInt8]]? = []
        for glob in globs {
            let front = GlobFront(glob, home: root.context.home)
            for directory in [path, root.context.cwd] where front.isLed {
                starts.formUnion(spellings(front.place(from: directory)))
            }
            isAnywhere = isAnywhere || front.mayLeave
            let ends = SearchGlobs.narrowEnds(of: glob)
            narrow = ends.flatMap { ends in narrow.map { $0 + ends } }
        }
        if let narrow, !narrow.isEmpty { ends = narrow }
    }

    /// Claude Code takes words for globs, and what stands between the commas of those without braces.
    private static func globs(in text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).flatMap { word -> [Substring] in
            word.contains("{") && word.contains("}") ? [word] : word.split(separator: ",")
        }.map(String.init)
    }

    private func spellings(_ path: String) -> Set<String> {
        [Self.folded(path), Self.folded(root.resolve(path).path)]
    }
}

/// The components of a pattern in front of the first that stands for several names.
private struct GlobFront {
    private let front: String
    private let home: String
    /// True if what follows may lead out of the front.
    let mayLeave: Bool
    /// True if the pattern names a place, and not only names anywhere.
    var isLed: Bool { !front.isEmpty }

    init(_ text: String, home: String) {
        self.home = home
        let isNegated = text.utf8.first == UInt8(ascii: "!")
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let plain = isNegated ? [] : parts.prefix { !$0.utf8.contains { "*?[{(\\".utf8.contains($0) } }
        front = plain.count == 1 && text.utf8.first == UInt8(ascii: "/") ? "/" : plain.joined(separator: "/")
        mayLeave = parts.dropFirst(plain.count).contains { $0.holds("..") }
    }

    /// The place that the front names.
    func place(from directory: String) -> String {
        if front == "~" || front.hasPrefix("~/") { return PathText.normalize("." + front.dropFirst(), from: home) }
        return PathText.normalize(front, from: directory)
    }
}
