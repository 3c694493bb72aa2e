package import Core
import Platform
package import Services

/// The part of an event that matters to a client that waits for a completion.
package enum ChatEvent: Sendable {
    /// The agent asks something; the card is open.
    case asked(PermissionRequest)
    case ended(prompt: String, PromptEnd)
    case other
    /// A whole message of the agent was written; text that follows begins another.
    case paragraph
    case phase(RunPhase)
    case text(String)
    case turn(TurnEnd)

    package init(_ event: PublishedEvent) {
        guard case .live(let live) = event, case .run(let run) = live.body else {
            self = .other
            return
        }
        switch run {
        case .asked(let request): self = .asked(request)
        case .changed(let session): self = .phase(session.phase)
        case .delta(let delta, _): self = delta.kind == .text ? .text(delta.text) : .other
        case .message(let message, _):
            let isMain = message.kind == .assistant && message.agentID == nil && message.origin == nil
            self = isMain ? .paragraph : .other
        case .promptEnd(let prompt, let end, _): self = .ended(prompt: prompt, end)
        case .turnEnd(let end, _): self = .turn(end)
        default: self = .other
        }
    }
}

/// The news for a completion since it was asked for last.
struct ChatNews: Sendable {
    /// The agent wrote this meanwhile.
    var text = ""
    /// The cards that were opened meanwhile.
    var cards: [PermissionRequest] = []
    /// `nil` until the session does something else than before.
    var phase: RunPhase?
    /// The last turn that ended.
    var turn: TurnEnd?
    /// The end of the prompt.
    var end: PromptEnd?
    /// Why nothing more is heard.
    var cut: SubscriptionEnd?
}

/// Hears what becomes of one prompt, for the request that sent it. Text is kept together until it is asked for, so a
/// client that reads slowly costs its text alone.
package final class ChatListener: Sendable {
    fileprivate struct State {
        var news = ChatNews()
        var hasText = false
        var isBehindMessage = false
        var isRoused = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    package let number: UInt64
    package let id = RandomText.base32(bits: 128)
    package let caller: Caller
    package let filter: EventFilter
    private let prompt: String
    private let state = Locked(State())

    /// Bytes of text that are kept for a client which does not read.
    private static let mostBytes = 8 << 20

    /// - Parameter number: Of the connection, which has one request at a time.
    init(number: UInt64, caller: Caller, session: String, prompt: String) {
        self.number = number
        self.caller = caller
        self.prompt = prompt
        filter = EventFilter(
            sessions: [session],
            kinds: [.runDelta, .transcriptMessage, .runStatus, .runUsage, .runPromptEnd, .runPermission, .runQuestion])
    }

    var hasEnded: Bool { state.withLock { $0.news.end != nil } }

    /// Returns the news once there is any, when so many seconds have passed, or when the task is cancelled.
    func next(within seconds: Double, by clock: any TimeSource) async -> ChatNews {
        let timer = clock.call(at: clock.uptime + seconds) { [weak self] in self?.rouse() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0) }
        } onCancel: {
            rouse()
        }
        timer.cancel()
        return take()
    }

    private func wait(_ continuation: CheckedContinuation<Void, Never>) {
        let isRoused = state.withLock { state in
            if !state.isRoused { state.waiter = continuation }
            return state.isRoused
        }
        if isRoused { continuation.resume() }
    }

    private func rouse() { change { _ in } }

    private func take() -> ChatNews {
        state.withLock { state in
            defer {
                state.news.text = ""
                state.news.cards = []
                state.isRoused = false
            }
            return state.news
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiter = state.withLock { state in
            body(&state)
            state.isRoused = true
            return state.waiter.take()
        }
        waiter?.resume()
    }
}

extension ChatListener: Subscriber {
    /// A completion answers no question: people do, elsewhere.
    package var isApprover: Bool { false }

    package func receive(_ event: ChatEvent) {
        switch event {
        case .asked(let request): change { $0.add(request) }
        case .ended(prompt, let end): change { $0.news.end = end }
        case .ended, .other: break
        case .paragraph: state.withLock { $0.isBehindMessage = $0.hasText }
        case .phase(let phase): change { $0.news.phase = phase }
        case .text(let text): change { $0.add(text, atMost: Self.mostBytes) }
        case .turn(let end): change { $0.news.turn = end }
        }
    }

    package func end(_ end: SubscriptionEnd) { change { $0.news.cut = end } }
}

extension ChatListener.State {
    /// An agent may ask again and again while a client reads nothing.
    private static let mostCards = 100

    mutating func add(_ card: PermissionRequest) {
        if news.cards.count < Self.mostCards { news.cards.append(card) }
    }

    mutating func add(_ text: String, atMost limit: Int) {
        guard news.cut == nil, news.end == nil else { return }
        guard news.text.utf8.count + text.utf8.count <= limit else {
            news.cut = .queueFull(EventQueueLimits(events: 1, bytes: limit))
            return
        }
        news.text += (isBehindMessage ? "\n\n" : "") + text
        (hasText, isBehindMessage) = (true, false)
    }
}
