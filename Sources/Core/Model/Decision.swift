package import OrderedJSON

/// The decision on a request, spelled as on the wire.
package enum Decision: String, Sendable, Hashable {
    case allow, ask, deny, pass
}

/// `once`: for this call. `session`: for all calls of the session that the offered patterns cover.
package enum Scope: String, Sendable, Hashable {
    case once, session
}

/// The person, rule or circumstance that ended a request.
package enum Resolver: Sendable, Hashable {
    case device(name: String)
    /// The relay's connection closed: Esc, No, or Claude died.
    case hookGone
    /// An answer link, by the channel it was sent to.
    case link(channel: String)
    /// A person at this machine, over the Unix socket.
    case local
    /// The request's relay did not come back after a restart.
    case lost
    /// Nobody could be asked; the policy answered.
    case noApprover
    case rule(id: String)
    /// The session has more open requests than anybody can answer.
    case sessionLimit
    case terminal
    case timeout

    /// The wire and log form: `device NAME`, `link CHANNEL`, `local`, `rule ID`, `timeout`, `hook gone`, `terminal`, `lost`.
    package var spelling: String {
        switch self {
        case .device(let name): "device \(name)"
        case .hookGone: "hook gone"
        case .link(let channel): "link \(channel)"
        case .local: "local"
        case .lost: "lost"
        case .noApprover: "no approver"
        case .rule(let id): "rule \(id)"
        case .sessionLimit: "session limit"
        case .terminal: "terminal"
        case .timeout: "timeout"
        }
    }

    package init?(_ spelling: String) {
        switch spelling {
        case "hook gone": self = .hookGone
        case "local": self = .local
        case "lost": self = .lost
        case "no approver": self = .noApprover
        case "session limit": self = .sessionLimit
        case "terminal": self = .terminal
        case "timeout": self = .timeout
        default:
            if spelling.hasPrefix("device ") {
                self = .device(name: String(spelling.dropFirst(7)))
            } else if spelling.hasPrefix("link ") {
                self = .link(channel: String(spelling.dropFirst(5)))
            } else if spelling.hasPrefix("rule ") {
                self = .rule(id: String(spelling.dropFirst(5)))
            } else {
                return nil
            }
        }
    }

    /// True for a person's decision, made now or by a rule made earlier.
    package var isAnswer: Bool {
        if case .rule = self { true } else { isPerson }
    }

    /// True if a person decided, not a rule, a timeout or an accident.
    package var isPerson: Bool {
        switch self {
        case .device, .link, .local: true
        default: false
        }
    }
}

/// The end of one opening of a request.
package struct Resolution: Sendable, Hashable {
    package var decision: Decision
    /// `nil` if no person or rule decided.
    package var scope: Scope?
    package var resolver: Resolver
    /// The device that decided, which `resolver` only names for people: another device may get the same name. `nil` where
    /// no device decided, or where an earlier version wrote the row.
    package var deviceID: String?
    /// A sentence for people.
    package var reason: String
    package var at: Timestamp
    /// A person's message to Claude, with a deny. Where a call ended without a decision, the deny that a hook hears which
    /// still waits or comes: a deny that was lost, or that a rule may demand.
    package var message: String?
    /// The input that a person allowed instead of the request's.
    package var update: KeptJSON?
    /// True if the hook's connection took the answer.
    package var isDelivered: Bool
    /// False until the relay has taken a person's answer; beside an open dialog in the terminal, until an event shows
    /// how the terminal decided.
    package var isConfirmed: Bool

    /// True for a person's or a rule's decision that no hook has taken, as far as is known.
    package var isUnheard: Bool { resolver.isAnswer && !isDelivered && !isConfirmed }

    package init(
        decision: Decision, scope: Scope? = nil, resolver: Resolver, deviceID: String? = nil, reason: String,
        at: Timestamp, message: String? = nil, updatedInput: JSON? = nil, isDelivered: Bool = false,
        isConfirmed: Bool = true
    ) {
        self.init(
            decision: decision, scope: scope, resolver: resolver, deviceID: deviceID, reason: reason, at: at,
            message: message, update: updatedInput.map { KeptJSON($0) }, isDelivered: isDelivered,
            isConfirmed: isConfirmed)
    }

    package init(
        decision: Decision, scope: Scope?, resolver: Resolver, deviceID: String? = nil, reason: String,
        at: Timestamp, message: String?, update: KeptJSON?, isDelivered: Bool, isConfirmed: Bool
    ) {
        self.decision = decision
        self.scope = scope
        self.resolver = resolver
        self.deviceID = deviceID
        self.reason = reason
        self.at = at
        self.message = message
        self.update = update
        self.isDelivered = isDelivered
        self.isConfirmed = isConfirmed
    }

    /// True where the changed input was not read from the store.
    var isUnread: Bool { update?.bytesElsewhere != nil }

    /// The input as a value. If it is kept as text, it is parsed at each access.
    package var updatedInput: JSON? { update?.value }
}
