/// The settings of a run session.
package struct RunSettings: Sendable, Hashable {
    package var mode: PermissionMode?
    /// `.some(nil)` for the agent's default.
    package var model: String??
    /// Likewise. A child that does not know it goes on as before.
    package var effort: String??
    package var title: String?

    package init(mode: PermissionMode? = nil, model: String?? = nil, effort: String?? = nil, title: String? = nil) {
        self.mode = mode
        self.model = model
        self.effort = effort
        self.title = title
    }
}

/// A mode that a child was told.
package struct ModeWish: Sendable, Hashable {
    package let mode: PermissionMode
    /// The id of the request that told it.
    package let request: String

    package init(mode: PermissionMode, request: String) {
        self.mode = mode
        self.request = request
    }
}

extension SessionState {
    /// Sets what is given. A living child is told, and shows its mode by itself: it may refuse one. Until it answers, the mode
    /// is that of the next child, whether it asks for more or for less: the setter was told that it is set, and of two modes
    /// nobody can tell which is the stricter for all calls.
    package mutating func set(
        _ settings: RunSettings, session id: String, at now: Instant
    ) throws(SessionRefusal) -> [SessionEffect] {
        guard let session = sessions[id] else { throw .unknownSession }
        guard settings.mode != .bypassPermissions || limits.allowsBypass else { throw .bypass }
        switch session.life {
        case .ended: throw .ended
        case .ending(let ending) where ending.purpose != .park: throw .stopping
        case .starting where session.process == nil: throw .starting
        case .ending, .parked, .ready, .starting: break
        }
        return update(id, at: now) { $0.set(settings) }
    }
}

extension RunSession {
    fileprivate mutating func set(_ settings: RunSettings) -> [SessionEffect] {
        let hears = life == .ready || life == .starting
        var inputs: [ChildInput] = []
        if let mode = settings.mode {
            if hears { inputs.append(wishing(for: mode)) } else { self.mode = mode }
        }
        if let model = settings.model {
            if hears { inputs.append(.setModel(request: nextRequest(), model)) }
            self.model = model
        }
        if let effort = settings.effort {
            if hears { inputs.append(.setEffort(request: nextRequest(), effort)) }
            self.effort = effort
        }
        if let title = settings.title {
            if hears { inputs.append(.rename(request: nextRequest(), title: title)) }
            self.title = title
        }
        return inputs.map { .write(session: id, $0) }
    }

    /// Notes the mode, and returns what tells the child.
    mutating func wishing(for mode: PermissionMode) -> ChildInput {
        let wish = ModeWish(mode: mode, request: nextRequest())
        self.wish = wish
        return .setMode(request: wish.request, mode)
    }

    /// The child took the mode, or refused it.
    mutating func noteWish(_ request: String, isRefused: Bool) {
        guard let wish, wish.request == request else { return }
        if !isRefused { mode = wish.mode }
        self.wish = nil
    }
}
