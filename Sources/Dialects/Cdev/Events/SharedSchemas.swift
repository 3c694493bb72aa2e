import Core
import OrderedJSON

// Small schemas that cards, events and methods share.

extension Schema {
    static let access = choice(AccessLevel.allCases.map(\.rawValue)).named("Access")
    static let agent = choice(Agent.allCases.map(\.rawValue)).named("Agent")
    static let decision = choice([Decision.allow, .ask, .deny, .pass].map(\.rawValue)).named("Decision")
    static let right = choice(Right.allCases.map(\.rawValue)).named("Right")
    static let scope = choice([Scope.once, .session].map(\.rawValue)).named("Scope")

    static let cardKind = choice(CardText.Kind.allCases.map(\.rawValue)).named("CardKind")

    /// The `truncated` that `Trimmer` adds to an object.
    static let truncated = map(of: .count).meaning(
        "path of each string that was cut, to its full length in bytes; `$` where members were left out"
    ).named("Truncated")

    /// The object that `Listing.object(_:)` makes.
    static func listing(_ name: String, of element: Schema) -> Schema {
        .object([name: .list(element), "count": .count, "more": .count.meaning("that did not fit")])
    }
}
