/// A hook's event and the hook's sender. A class: a held call keeps both as one pointer, and no event is copied on its way
/// through the broker.
package final class HookCall: Sendable {
    package let event: AgentEvent
    package let source: HookSource

    package init(_ event: AgentEvent, from source: HookSource) {
        self.event = event
        self.source = source
    }
}

/// A hook whose agent waits for a decision on a tool call.
struct BlockingHook {
    let call: HookCall
    let tool: ToolCall
    let waiter: Waiter
    let now: Instant

    var event: AgentEvent { call.event }
    var source: HookSource { call.source }

    /// The same hook, with another id for its tool call.
    func named(_ useID: String?) -> BlockingHook {
        BlockingHook(call: call, tool: tool.named(useID), waiter: waiter, now: now)
    }
}

/// A hook that reports something and whose agent waits for no decision.
struct Observation {
    let call: HookCall
    let now: Timestamp

    var event: AgentEvent { call.event }
    var source: HookSource { call.source }
}
