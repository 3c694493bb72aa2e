/// What a device is let in for, as its owner says it: `--rights approve|view`.
package enum AccessLevel: String, Sendable, Hashable, CaseIterable {
    /// Sees and answers.
    case approve
    /// Sees, and counts as nobody who could answer.
    case view

    package var rights: Set<Right> {
        switch self {
        case .approve: .approver
        case .view: .viewer
        }
    }

    /// The level these rights amount to.
    package init(_ rights: Set<Right>) {
        self = rights.contains(.decide) ? .approve : .view
    }
}
