/// A hook's call by what the broker does with it: decide on a tool call, or take note.
enum ReceivedHook {
    case preToolUse(PreToolUseHook)
    case permissionRequest(PermissionRequestHook)
    case observation(Observation)

    /// A blocking event without a tool is an observation: it asks for no decision.
    ///
    /// Inlined into its one caller, which then copies no payload into an enum and out of it.
    @inline(__always) init(_ call: HookCall, waiter: Waiter, at now: Instant) {
        if call.event.name == .preToolUse, let hook = BlockingHook(call, waiter: waiter, at: now) {
            self = .preToolUse(PreToolUseHook(base: hook))
        } else if call.event.name == .permissionRequest, let hook = BlockingHook(call, waiter: waiter, at: now) {
            self = .permissionRequest(PermissionRequestHook(base: hook))
        } else {
            self = .observation(Observation(call: call, now: now.wall))
        }
    }
}

/// The agent announces a tool call and waits for a decision before it runs the tool.
struct PreToolUseHook {
    let base: BlockingHook
}

/// The agent shows its own permission dialog, or would if somebody sat at its terminal, and waits for a decision.
struct PermissionRequestHook {
    let base: BlockingHook
}

/// The common part of PreToolUse and PermissionRequest: a tool call, and a connection that waits for the decision.
struct BlockingHook {
    let call: HookCall
    let tool: ToolCall
    let waiter: Waiter
    let now: Instant

    var event: AgentEvent { call.event }
    var source: HookSource { call.source }

    /// `nil` where the event names no tool.
    fileprivate init?(_ call: HookCall, waiter: Waiter, at now: Instant) {
        guard let tool = call.event.tool else { return nil }
        self.init(call, tool, waiter: waiter, at: now)
    }

    private init(_ call: HookCall, _ tool: ToolCall, waiter: Waiter, at now: Instant) {
        self.call = call
        self.tool = tool
        self.waiter = waiter
        self.now = now
    }

    /// The same hook, with another id for its tool call.
    func named(_ useID: String?) -> BlockingHook {
        BlockingHook(call, tool.named(useID), waiter: waiter, at: now)
    }
}

/// A hook that reports something; its agent waits for no decision, so there is no connection to hold.
struct Observation {
    let call: HookCall
    let now: Timestamp

    var event: AgentEvent { call.event }
    var source: HookSource { call.source }
}
