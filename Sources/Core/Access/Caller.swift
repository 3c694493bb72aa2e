/// The sender of a call, with its rights. The authenticator makes it once for each connection or request; handlers
/// check its rights, never an address.
package struct Caller: Sendable, Hashable {
    package enum Identity: Sendable, Hashable {
        /// A device that sent a valid token, by the name its owner gave it.
        case device(id: String, name: String)
        /// The holder of an answer link that was sent to a channel; it may give only the link's answer.
        case link(channel: String)
        /// A process of our own user, on the Unix socket.
        case local(pid: Int32)
        /// A loopback client without a token.
        case unverified
    }

    package let identity: Identity
    package let rights: Set<Right>

    package init(identity: Identity, rights: Set<Right>) {
        self.identity = identity
        self.rights = rights
    }

    package func may(_ right: Right) -> Bool {
        rights.contains(right)
    }

    /// True for a local process that runs inside an agent; any other local process has every right.
    package var isAgent: Bool {
        if case .local = identity { !may(.administer) } else { false }
    }

    /// The device's id; `nil` if the caller is not a device.
    package var deviceID: String? {
        if case .device(let id, _) = identity { id } else { nil }
    }

    /// The caller's name in the log.
    package var logName: String {
        switch identity {
        case .device(_, let name): "device \(name)"
        case .link(let channel): "link \(channel)"
        case .local(let pid): "local \(pid)"
        case .unverified: "unverified"
        }
    }

    package var resolver: Resolver? {
        switch identity {
        case .device(_, let name): .device(name: name)
        case .link(let channel): .link(channel: channel)
        case .local: .local
        case .unverified: nil
        }
    }
}

/// A right lets a caller do something; each method names the right that it needs.
package enum Right: String, Sendable, Hashable, CaseIterable {
    /// Pair devices, revoke those of others, make tokens.
    case administer
    /// Answer requests, revoke rules and oneself.
    case decide
    /// Start, prompt and stop sessions, change workspaces and their repositories, read sensitive files: as good as a shell on this machine.
    case drive
    /// See requests, events, sessions, rules.
    case read
    /// Send hook events that count as the user's own.
    case report
}

extension Set<Right> {
    /// The local user at a terminal of this machine.
    package static var owner: Set<Right> { [.administer, .decide, .drive, .read, .report] }
    /// A local process that runs inside an agent: an agent may ask, but never answer for its user.
    package static var agent: Set<Right> { [.read, .report] }
    /// A device that may answer.
    package static var approver: Set<Right> { [.decide, .read, .report] }
    /// A device that may answer and drive.
    package static var driver: Set<Right> { [.decide, .drive, .read, .report] }
    /// A device that only looks.
    package static var viewer: Set<Right> { [.read] }
}
