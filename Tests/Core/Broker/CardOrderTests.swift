import Core
import TestSupport
import Testing

/// Calls that Claude makes at once: their transcripts are read side by side, and one reading may take longer.
@Suite(.timeLimit(.minutes(1))) struct CardOrderTests {
    private static let calls = ["toolu_1", "toolu_2", "toolu_3"]

    private func call(_ id: String) -> HookCall {
        var details = AgentEvent.Details()
        details.transcriptPath = "/t/s1.jsonl"
        let event = AgentEvent(
            name: .preToolUse, sessionID: "s1", cwd: "/p", promptID: "p1", permissionMode: .default, agentID: nil,
            agentType: nil, tool: ToolCall(name: "Bash", input: ["command": "touch x"], useID: id), details: details,
            sent: [:])
        return HookCall.local(event, from: HookSource(isVerified: true))
    }

    /// Returns once the broker holds the call.
    private func hold(_ id: String, by broker: Broker) async -> Task<Void, Never> {
        let (held, holding) = AsyncStream<Void>.makeStream()
        let hook = Task { _ = await broker.hook(call(id), onHold: { _ in holding.yield() }) }
        for await _ in held { break }
        return hook
    }

    @Test func theCardsOfASessionAreShownInTheOrderOfItsCalls() async {
        let (shown, showing) = AsyncStream<String>.makeStream()
        let (lastRead, reading) = AsyncStream<Void>.makeStream()
        let broker = Broker(clock: ManualClock(), store: FakeStore()) { event in
            if case .permission(let request) = event.body { showing.yield(request.toolUseID) }
        } read: { transcript in
            if transcript.toolUseID == Self.calls.last { reading.finish() }
            if transcript.toolUseID == Self.calls.first { for await _ in lastRead {} }
            return TranscriptEnd()
        }
        await broker.approversChanged(to: 1)
        var hooks: [Task<Void, Never>] = []
        for id in Self.calls { hooks.append(await hold(id, by: broker)) }
        var order: [String] = []
        for await id in shown {
            order.append(id)
            if order.count == Self.calls.count { break }
        }
        #expect(order == Self.calls)
        for hook in hooks { hook.cancel() }
    }
}
