/// The rights of a device as its owner chooses them: `--rights approve|drive|view`.
package enum AccessLevel: String, Sendable, Hashable, CaseIterable {
    /// May see requests and answer them.
    case approve
    /// May also change workspaces and read sensitive files: as good as a shell on this machine.
    case drive
    /// May see requests; does not count as an approver.
    case view

    package var rights: Set<Right> {
        switch self {
        case .approve: .approver
        case .drive: .driver
        case .view: .viewer
        }
    }

    /// The level these rights amount to.
    package init(_ rights: Set<Right>) {
        self = rights.contains(.drive) ? .drive : rights.contains(.decide) ? .approve : .view
    }
}
