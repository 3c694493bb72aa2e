/// Reads of the broker's state, without effects.
extension Broker {
    /// Held requests that wait for a decision, soonest deadline first.
    package func pending(sessionID: String?) -> [PermissionRequest] {
        state.pending(session: sessionID)
    }

    /// A held request, or one that ended lately.
    package func request(id: String) -> PermissionRequest? {
        state.request(id: id)
    }

    /// A held request, with its place.
    package func heldRequest(id: String) -> HeldCall? {
        state.heldRequest(id: id)
    }

    /// True where the end of some call may bring words for the model.
    package var awaitsChangedCall: Bool { state.awaitsChangedCall }

    /// Rules in force, oldest first.
    package func rules(sessionID: String?) -> [SessionRule] {
        state.rules(session: sessionID)
    }

    /// The latest start of the sessions that have not ended: behind the present time if the clock was set back since.
    package var latestStart: Timestamp? { state.sessions.sessions.values.map(\.startedAt).max() }

    /// When the session started; `nil` if it has ended, or nobody knows of it.
    package func start(ofSession id: String) -> Timestamp? {
        state.sessions[id]?.startedAt
    }

    package func sessions() -> [SessionView] {
        state.sessionViews(at: environment.now())
    }

    /// The start times of the agent processes that hooks named, by pid.
    package var claudeProcesses: [Int32: UInt64] { state.claudeProcesses }

    /// True if a process works in the session, as far as its hooks tell, and this one does not.
    package func isOfAnother(session: String, than process: ProcessIdentity?) -> Bool {
        state.isOfAnother(session: session, than: process)
    }

    package func stats() -> BrokerStats {
        state.stats()
    }

    /// The sequence number of the next event; a clean stop writes it.
    package var nextSequence: Int64 { state.nextSequence }
}
