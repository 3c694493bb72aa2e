/// The rules' reading of a command line: the answer to "why was I asked?".
package struct Explanation: Sendable, Hashable {
    /// One command of the line.
    package struct Part: Sendable, Hashable {
        /// The command's words after quote removal.
        package let words: [String]
        package let key: String?
        /// The key column of the matching row, and the row's reason.
        package let row: String?
        package let reason: String?
        /// True if the command needs no rule next to other commands.
        package let isFree: Bool
        /// The reason why the command has no key.
        package let refusal: String?
    }

    /// The place where the line is not understood; if set, all other members are empty.
    package let stop: ShellStop?
    package let parts: [Part]
    /// The patterns that "allow for session" would store.
    package let patterns: [Pattern]
    /// The reason why a line that is understood gets only an exact rule.
    package let note: String?
}

extension Explanation: CustomStringConvertible {
    package var description: String {
        var lines: [String] = []
        if let stop { lines.append("stops: \(stop). No rule settles this line, and none is offered.") }
        for (index, part) in parts.enumerated() { lines += part.lines(number: index + 1) }
        if let note { lines.append(note) }
        if stop == nil { lines.append("allow for session: " + patterns.map(\.stored).joined(separator: ", ")) }
        return lines.joined(separator: "\n")
    }
}

extension Explanation.Part {
    fileprivate func lines(number: Int) -> [String] {
        var lines = ["\(number). " + words.map { $0.isEmpty ? "''" : $0 }.joined(separator: " ")]
        if let key { lines.append("   key: \(key)") }
        if let row, let reason { lines.append("   row: \(row) (\(reason))") }
        if isFree { lines.append("   needs no rule beside other commands") }
        if let refusal { lines.append("   no key: \(refusal)") }
        return lines
    }
}

extension RuleEngine {
    /// For `cdev explain`: the parts of a line with key and row, or why they have none, or the place where parsing
    /// stops.
    package static func explain(line: String, context: RuleContext, paths: any PathPort) -> Explanation {
        do throws(ShellStop) {
            _ = try ShellSplitter.split(line, isMacBash: context.shellIsMacBash)
        } catch {
            return Explanation(stop: error, parts: [], patterns: [], note: nil)
        }
        guard let rules = BashRules(line: line, root: SessionRoot(context, paths)) else {
            return Explanation(stop: nil, parts: [], patterns: [], note: nil)
        }
        return Explanation(
            stop: nil, parts: rules.parts.map(Explanation.Part.init), patterns: rules.patterns, note: note(rules))
    }

    private static func note(_ rules: BashRules) -> String? {
        guard rules.patterns.first?.kind == .line else { return nil }
        if rules.root.isBroad { return Refusal.broadRoot.description + "." }
        if rules.root.isProtected { return Refusal.protectedRoot.description + "." }
        return "Only this whole line, in this directory, can be allowed for the session."
    }
}

extension Explanation.Part {
    fileprivate init(_ part: LinePart) {
        words = part.command.words.map(\.value)
        switch part.verdict {
        case .keyed(let key): (self.key, row, reason) = (key.text.own, key.row.key, key.row.reason)
        case .free(let key): (self.key, row, reason) = (key?.text.own, key?.row.key, key?.row.reason)
        case .exact: (key, row, reason) = (nil, nil, nil)
        }
        if case .free = part.verdict { isFree = true } else { isFree = false }
        if case .exact(let refusal) = part.verdict { self.refusal = refusal.description } else { refusal = nil }
    }
}
