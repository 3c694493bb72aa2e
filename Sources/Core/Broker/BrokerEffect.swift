import Text

/// What is to be done after an input. `BrokerState` only says it; the actor does it, in this order.
package enum BrokerEffect: Sendable, Hashable {
    case answer(Waiter, HookReply)
    /// Changes that may be written up to 50 ms later.
    case append([StoreChange])
    /// Changes that must be written before the work goes on; their outcome comes back as `committed`.
    case commit(CommitID, [StoreChange], Durability)
    /// All answers of one `respond` are settled.
    case finish(CallID, [Result<PermissionReceipt, ResponseFailure>])
    /// The call is held: tell its relay until when.
    case hold(Waiter, until: Uptime)
    case publish(EventRecord)
    /// A rule was taken back, or why that is not confirmed.
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
