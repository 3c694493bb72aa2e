import Text

/// Joins the page's modules into one file, so that a phone far away waits for one answer instead of some sixty, of which
/// HTTP/1.1 fetches six at a time. The modules stay the source: the tests and a browser can load each by itself.
///
/// It understands what the page uses: `import { a, b } from "./c.js";` on one line, and `export` before `const`,
/// `function`, `async function` and `class`.
struct ModuleBundle {
    /// The entry's text with everything it imports before it; `nil` if a module is missing, imports itself by way of
    /// others, or uses another form. The modules are then served one by one.
    let text: String
    /// Paths of the modules in it.
    let paths: Set<String>

    /// - Parameter modules: Texts by path, `/js/main.js`.
    init?(entry: String, of modules: [String: String]) {
        var builder = Builder(modules: modules)
        guard let last = builder.visit(entry, isEntry: true) else { return nil }
        text = builder.texts.joined() + last
        paths = builder.done
    }

    private struct Builder {
        let modules: [String: String]
        var texts: [String] = []
        var done: Set<String> = []
        /// Modules whose imports are being visited.
        private var open: Set<String> = []

        init(modules: [String: String]) { self.modules = modules }

        /// The module's own text with its imports taken from the modules before it.
        mutating func visit(_ path: String, isEntry: Bool = false) -> String? {
            guard let source = modules[path], open.insert(path).inserted else { return nil }
            defer { open.remove(path) }
            var lines: [Substring] = []
            var exports: [Substring] = []
            var comments = Comments()
            for line in source.pieces(at: "\n") where !comments.take(line) {
                if line.hasPrefix("import ") {
                    guard let imported = Import(line, in: path), include(imported.path) else { return nil }
                    lines.append("const {\(imported.names)} = \(Self.name(of: imported.path));")
                } else if line.hasPrefix("export ") {
                    guard let name = Self.exported(line) else { return nil }
                    exports.append(name)
                    lines.append(line.dropFirst("export ".count))
                } else {
                    lines.append(line)
                }
            }
            done.insert(path)
            let body = lines.joined(separator: "\n")
            return isEntry
                ? body
                : "const \(Self.name(of: path)) = (() => {\n\(body)\nreturn {\(exports.joined(separator: ", "))};\n})();\n"
        }

        private mutating func include(_ path: String) -> Bool {
            if done.contains(path) { return true }
            guard let text = visit(path) else { return false }
            texts.append(text)
            return true
        }

        /// The name that the line declares.
        private static func exported(_ line: Substring) -> Substring? {
            let words = line.dropFirst("export ".count).split(separator: " ")
            let kinds: Set<Substring> = ["async", "class", "const", "function"]
            guard let first = words.first, kinds.contains(first), let name = words.first(where: { !kinds.contains($0) })
            else { return nil }
            let end = name.firstIndex { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") } ?? name.endIndex
            return end == name.startIndex ? nil : name[..<end]
        }

        /// `$js$views$card` for `/js/views/card.js`.
        private static func name(of path: String) -> String {
            String(path.dropLast(".js".count).map { $0.isLetter || $0.isNumber ? $0 : "$" })
        }
    }

    /// Leaves out lines that hold a comment and nothing else, which are a third of the bytes.
    private struct Comments {
        private var isOpen = false

        /// True if the line is part of a comment.
        mutating func take(_ line: Substring) -> Bool {
            let text = Substring(line.utf8.drop { $0 == UInt8(ascii: " ") })
            if isOpen {
                isOpen = !text.hasSuffix("*/")
                return true
            }
            if text.hasPrefix("//") { return true }
            guard text.hasPrefix("/*") else { return false }
            isOpen = !text.holds("*/")
            return isOpen || text.hasSuffix("*/")
        }
    }

    /// One `import { a, b } from "./c.js";`.
    private struct Import {
        let names: Substring
        let path: String

        init?(_ line: Substring, in module: String) {
            guard let opening = line.firstIndex(of: "{"), let closing = line.firstIndex(of: "}"), opening < closing,
                line.hasSuffix("\";"), let quote = line.dropLast(2).lastIndex(of: "\"")
            else { return nil }
            names = line[line.index(after: opening)..<closing]
            guard !names.split(separator: " ").contains("as") else { return nil }
            var folders = module.split(separator: "/").dropLast()
            for part in line[line.index(after: quote)...].dropLast(2).split(separator: "/") where part != "." {
                if part == ".." { _ = folders.popLast() } else { folders.append(part) }
            }
            path = "/" + folders.joined(separator: "/")
        }
    }
}
