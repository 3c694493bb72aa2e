import Text

extension Pattern {
    /// The calls that the pattern covers, for people: "any `npm test …` in proj". Hidden characters are shown as U+FFFD, line
    /// feeds as ⏎, and long parts are cut: the pattern itself is exact.
    /// - Parameter root: The session's project directory, outside of which no pattern of commands holds.
    package func words(root: String) -> String {
        switch kind {
        case .command: "any `\(Self.shown(subject)) …` in \(Self.place(directory ?? root, from: root))"
        case .line: "exactly `\(Self.shown(subject))` in \(Self.place(directory ?? root, from: root))"
        case .tree: "any `\(tool)` below \(Self.place(subject, from: root))"
        case .file: "any `\(tool)` of \(Self.place(subject, from: root))"
        case .domain: "any `\(tool)` from \(Self.shown(subject))"
        case .tool: "any call of `\(Self.shown(tool))`"
        }
    }

    /// A path as people name it: from the name of the project on, or whole where it lies elsewhere.
    private static func place(_ path: String, from root: String) -> String {
        guard let below = PathText.remainder(of: path, below: root), let name = PathText.components(root).last else {
            return shown(path)
        }
        let project = String(Substring(name))
        return shown(below.isEmpty ? project : project + "/" + String(Substring(below)))
    }

    /// Scalars of one part.
    private static let longestWords = 80

    private static func shown(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(longestWords + 1).map { scalar -> Unicode.Scalar in
            scalar == "\n" ? "⏎" : scalar.isHidden || scalar == "\t" ? "\u{FFFD}" : scalar
        }
        guard scalars.count > longestWords else { return String(String.UnicodeScalarView(scalars)) }
        return String(String.UnicodeScalarView(scalars.dropLast(2))) + "…"
    }
}
