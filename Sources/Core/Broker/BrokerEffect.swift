import Text

/// An action that follows from an input. `BrokerState` returns effects, and the actor `Broker` performs them in order.
package enum BrokerEffect: Sendable, Hashable {
    case answer(Waiter, HookReply)
    /// Changes that may be written up to 50 ms later.
    case append([StoreChange])
    /// Changes that must be written before the work goes on; `BrokerState.committed` is then called with the outcome.
    case commit(CommitID, [StoreChange], Durability)
    /// Read the transcript, and call `BrokerState.explained` with what it says of the request.
    indirect case explain(request: String, TranscriptQuery)
    /// All results of one `respond` call are there.
    case finish(CallID, [Result<PermissionReceipt, ResponseFailure>])
    /// The session's gate in force, or the reason why its change is not confirmed.
    case gateSet(CallID, Result<Policy.Gate, GateFailure>)
    /// The request is held: tell its relay the deadline.
    case hold(Waiter, until: Uptime)
    case publish(EventRecord)
    /// The rule was revoked, or the reason why the revocation is not confirmed.
    case revoked(CallID, Result<SessionRule, RevocationFailure>)
}

/// One connection that waits for an answer to a hook.
package struct Waiter: Sendable, Hashable {
    package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }
}

/// One call of `respond` or `revoke`.
package struct CallID: Sendable, Hashable {
    package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }
}

/// One commit that is under way.
package struct CommitID: Sendable, Hashable {
    package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }
}
