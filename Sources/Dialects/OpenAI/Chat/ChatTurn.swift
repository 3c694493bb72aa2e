import Core
import Services
import Wire

/// One prompt on its way through a session, with the request that waits for what comes of it.
struct ChatTurn: Sendable {
    /// News for the client.
    enum Step: Sendable {
        /// A card is open at this URL.
        case card(String)
        case text(String)
        /// Nothing was written for a while.
        case quiet(isAsking: Bool)
    }

    /// Why the client is not sent the end.
    enum Outcome: Sendable {
        case ended(ChatEnd)
        /// The client has left, or takes nothing more.
        case left
        /// The time that was given is over.
        case late
    }

    let services: OpenAIServices
    let session: String
    let listener: ChatListener
    let shape: ChatShape
    let reply: ChatReply
    let writer: any ReplyWriter
    /// True if the client is sent the links of cards.
    let linksCards: Bool
    /// Notes the answer; `nil` where it is not to be known again.
    let remember: (@Sendable (_ answer: String) async -> Void)?
    /// Gives the session back; to be called once.
    let release: @Sendable () -> Void

    /// Seconds without a word after which the client is sent a comment. Proxies cut a connection after 60.
    static let quietSeconds: Double = 15
    /// Seconds for which the end of the turn is waited for behind the end of its prompt: background work may go on.
    private static let patience: Double = 2

    /// Passes on what the agent writes until the prompt has ended.
    /// - Parameter seconds: after which it returns; `nil` for as long as it takes.
    func follow(
        via pending: any PendingResponse, for seconds: Double? = nil, _ pass: (Step) async -> Bool
    ) async -> Outcome {
        let end = seconds.map { services.clock.uptime + $0 }
        var silence = Silence(since: services.clock.uptime)
        while true {
            let news = await listener.next(within: wait(until: end), by: services.clock)
            if !news.text.isEmpty, !(await pass(.text(news.text))) { return outcomeOfCut(pending) }
            for card in linksCards ? news.cards : [] {
                if !(await pass(.card(card.url(on: services.base())))) { return outcomeOfCut(pending) }
            }
            // Before the end: text is missing.
            if let cut = news.cut { return .ended(ChatEnd(failure: Self.failure(cut))) }
            if let ended = news.end { return .ended(await self.end(ended, news)) }
            if Task.isCancelled { return outcomeOfCut(pending) }
            if let end, services.clock.uptime >= end { return .late }
            if silence.isToBeBroken(news, at: services.clock.uptime),
                !(await pass(.quiet(isAsking: news.phase == .asking)))
            {
                return outcomeOfCut(pending)
            }
        }
    }

    /// Tells when a client that hears nothing is told that it is not forgotten.
    private struct Silence {
        var since: Uptime
        var isAsking = false

        mutating func isToBeBroken(_ news: ChatNews, at now: Uptime) -> Bool {
            let beginsToAsk = news.phase == .asking && !isAsking
            isAsking = news.phase == .asking
            guard news.text.isEmpty else {
                since = now
                return false
            }
            guard beginsToAsk || now.seconds(since: since) >= ChatTurn.quietSeconds else { return false }
            since = now
            return true
        }
    }

    private func wait(until end: Uptime?) -> Double {
        guard let end else { return Self.quietSeconds }
        return min(max(end.seconds(since: services.clock.uptime), 0), Self.quietSeconds)
    }

    /// Waits until the session takes the next prompt, which a client may send as soon as it has the answer to this one.
    private func end(_ end: PromptEnd, _ news: ChatNews) async -> ChatEnd {
        var news = news
        let latest = services.clock.uptime + Self.patience
        while mayBeAtWork(end, news) {
            guard services.clock.uptime < latest, !Task.isCancelled else { break }
            news = await listener.next(within: Self.patience, by: services.clock)
        }
        return ChatEnd(end, news.turn)
    }

    /// False for a prompt that ended without a turn.
    private func mayBeAtWork(_ end: PromptEnd, _ news: ChatNews) -> Bool {
        guard end == .completed || news.turn?.isError == true else { return false }
        return news.turn == nil || news.phase == .running || news.phase == .asking
    }

    private func outcomeOfCut(_ pending: any PendingResponse) -> Outcome {
        pending.peerHasLeft
            ? .left
            : .ended(
                ChatEnd(
                    failure: OpenAIFailure(
                        .serviceUnavailable, "stopping",
                        "the daemon is being stopped; the session goes on: ask for its status", mayBeRepeated: false)))
    }

    private static func failure(_ cut: SubscriptionEnd) -> OpenAIFailure {
        switch cut {
        case .queueFull: .server("too_slow", "more text waits than is kept; the session goes on without this client")
        case .revoked(let reason): OpenAIFailure(.unauthorized, "unauthorized", reason)
        }
    }

    /// Ends the hearing. A client that left stops its turn: front ends have no other way to say so.
    /// - Parameter text: The text that the client has got.
    func close(_ outcome: Outcome, _ text: String) async {
        switch outcome {
        case .ended(let end) where end.isWhole: await remember?(end.text(behind: text))
        case .ended, .late: break
        case .left: await abandon()
        }
        services.subscribers.remove(listener)
        _ = await services.runs.unwatch(client: listener.id)
        release()
    }

    /// Takes the prompt back, or stops the turn that it began. Another's turn behind it goes on.
    private func abandon() async {
        guard !listener.hasEnded else { return }
        services.log.info("a client left its completion", ["session": session, "prompt": reply.prompt])
        if (try? await services.runs.cancel(reply.prompt, of: session)) == true { return }
        guard !listener.hasEnded else { return }
        do {
            try await services.runs.interrupt(session, cancelsQueued: false)
        } catch {
            services.log.warning("the turn of a client that left goes on", ["session": session, "why": "\(error)"])
        }
    }
}
