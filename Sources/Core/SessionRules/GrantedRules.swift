import Rules

/// The rules of one session and one effect, indexed by pattern.
package struct GrantedRules: Sendable {
    /// In the order they were granted.
    package let all: [SessionRule]
    private let places: [Pattern: Int]
    let patterns: Set<Pattern>

    /// A rule whose pattern cannot be read is in `all`, and matches nothing.
    package init(_ rules: [SessionRule]) {
        all = rules
        var places: [Pattern: Int] = [:]
        for (place, rule) in rules.enumerated() { if let pattern = rule.parsed { places[pattern] = place } }
        self.places = places
        patterns = Set(places.keys)
    }

    package var isEmpty: Bool { all.isEmpty }

    /// The first rule that may cover a call of this tool.
    func first(forTool name: String) -> SessionRule? {
        all.first { rule in rule.parsed.map { $0.concerns(tool: name) } ?? true }
    }

    subscript(pattern: Pattern) -> SessionRule? { places[pattern].map { all[$0] } }
}
