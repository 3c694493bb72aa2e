/// Attempts to deliver, and what follows from their outcomes.
extension NoticeState {
    /// Makes the notice the next of its thread, and starts an attempt if none is under way.
    mutating func offer(_ notice: Notice, to id: String, at now: Instant, isProbe: Bool = false) -> [NoticeEffect] {
        guard let channel = channels[id]?.channel else { return [] }
        let key = key(of: notice, for: channel)
        var thread = threads[key] ?? Thread()
        if notice.isClosing, !isProbe, !thread.wasDelivered, thread.sending == nil {
            // No notification was shown that this notice could replace.
            threads[key] = nil
            return []
        }
        var notice = notice
        if let unsent = thread.next, !unsent.isSilent, !notice.isClosing { notice.isSilent = false }
        thread.next = notice
        thread.attempts = 0
        thread.notBefore = nil
        thread.isProbe = isProbe
        threads[key] = thread
        return start(key, at: now)
    }

    private func key(of notice: Notice, for channel: NoticeChannel) -> ThreadKey {
        ThreadKey(channel: channel.id, subject: channel.gathers ? notice.tag : notice.request?.id ?? notice.tag)
    }

    mutating func start(_ key: ThreadKey, at now: Instant) -> [NoticeEffect] {
        guard var thread = threads[key], thread.sending == nil, let notice = thread.next else { return [] }
        if let time = thread.notBefore, time > now.uptime { return [] }
        guard !isAnswered(notice) else {
            threads[key] = nil
            return []
        }
        thread.next = nil
        thread.notBefore = nil
        thread.sending = notice
        thread.attempts += 1
        threads[key] = thread
        lastNumber += 1
        inFlight[lastNumber] = key
        return [.deliver(NoticeDelivery(number: lastNumber, channel: key.channel, notice: notice))]
    }

    /// True for the report of a request that was answered since.
    func isAnswered(_ notice: Notice) -> Bool {
        guard case .reported(let reported) = notice.subject, let card = reported.card else { return false }
        return cards[card.requestID] == nil
    }

    /// Takes the outcome of an attempt.
    package mutating func ended(
        _ number: UInt64, _ outcome: NoticeOutcome, at now: Instant
    ) -> [NoticeEffect] {
        guard let key = inFlight.removeValue(forKey: number), let notice = threads[key]?.sending else { return [] }
        threads[key]?.sending = nil
        switch outcome {
        case .delivered: return delivered(notice, key, at: now)
        case .failed(let reason, let isFinal, let retryAfter):
            return failed(notice, key, reason, isFinal: isFinal, retryAfter, at: now)
        case .gone:
            remove(channel: key.channel)
            return [.drop(channel: key.channel)]
        }
    }

    /// Takes the outcome of a test, which is sent to every channel without `offer`.
    package mutating func tested(_ id: String, _ outcome: NoticeOutcome, at now: Instant) -> [NoticeEffect] {
        switch outcome {
        case .delivered: noteDelivery(id, at: now)
        case .failed(let reason, _, _): noteFailure(id, reason, at: now)
        case .gone:
            remove(channel: id)
            return [.drop(channel: id)]
        }
        return []
    }

    private mutating func noteDelivery(_ id: String, at now: Instant) {
        channels[id]?.health.delivered += 1
        channels[id]?.health.lastDelivery = now.wall
        channels[id]?.health.failure = nil
        channels[id]?.owed = nil
    }

    private mutating func noteFailure(_ id: String, _ reason: String, at now: Instant) {
        channels[id]?.health.failure = reason
        channels[id]?.health.failedAt = now.wall
    }

    private mutating func delivered(_ notice: Notice, _ key: ThreadKey, at now: Instant) -> [NoticeEffect] {
        noteDelivery(key.channel, at: now)
        threads[key]?.wasDelivered = true
        if threads[key]?.next == nil, !isOpen(notice) { threads[key] = nil }
        return start(key, at: now)
    }

    /// True if a later notice may replace this one, since requests of its tag are open.
    private func isOpen(_ notice: Notice) -> Bool {
        guard case .asked = notice.subject else { return false }
        return cards.values.contains { $0.tag == notice.tag }
    }

    private mutating func failed(
        _ notice: Notice, _ key: ThreadKey, _ reason: String, isFinal: Bool, _ retryAfter: Double?, at now: Instant
    ) -> [NoticeEffect] {
        channels[key.channel]?.health.failed += 1
        let isProbe = threads[key]?.isProbe == true
        if let next = threads[key]?.next {
            // A final failure is the channel's, even if the notice itself is no longer needed.
            if isFinal { fails(key.channel, reason, owing: next, isProbe: isProbe, at: now) }
            return supersede(notice, by: next, key, at: now)
        }
        let attempts = threads[key]?.attempts ?? 1
        if !isFinal, !isProbe, attempts <= policy.pauses.count {
            let pause = max(policy.pauses[attempts - 1], min(60, retryAfter ?? 0))
            if now.wall + pause < notice.expires {
                threads[key]?.next = notice
                threads[key]?.notBefore = now.uptime + pause
                return []
            }
        }
        giveUp(notice, key, reason, isProbe: isProbe, at: now)
        return []
    }

    /// Handles a failure while a newer notice waits: the newer one is sent instead, with sound if the failed one had
    /// it.
    private mutating func supersede(
        _ notice: Notice, by next: Notice, _ key: ThreadKey, at now: Instant
    ) -> [NoticeEffect] {
        if next.isClosing, threads[key]?.wasDelivered != true {
            threads[key] = nil
            return []
        }
        if !next.isClosing, !notice.isSilent { threads[key]?.next?.isSilent = false }
        return start(key, at: now)
    }

    private mutating func giveUp(
        _ notice: Notice, _ key: ThreadKey, _ reason: String, isProbe: Bool, at now: Instant
    ) {
        if !isOpen(notice) { threads[key] = nil }
        fails(key.channel, reason, owing: notice, isProbe: isProbe, at: now)
    }

    /// Notes that the channel fails, and plans to try it again with the notice.
    private mutating func fails(
        _ id: String, _ reason: String, owing notice: Notice, isProbe: Bool, at now: Instant
    ) {
        noteFailure(id, reason, at: now)
        // Only notices of requests are tried again later; that a session was idle is no news then.
        guard let request = notice.request, !isProbe || channels[id]?.owed != nil else { return }
        // Trying again ends a day after the first failure, until another notice is given up.
        let since = channels[id]?.owed?.since ?? now.uptime
        let owed = channels[id]?.owed?.notice
        let current = owed?.request?.id == request.id ? owed ?? notice : notice
        channels[id]?.owed = Owed(notice: current, at: now.uptime + policy.probing, since: since)
    }

    /// Tries a failing channel again with the notice that was given up: the request while it is open, else its
    /// resolution, silently.
    mutating func probe(at now: Instant) -> [NoticeEffect] {
        channels.keys.sorted().flatMap { id -> [NoticeEffect] in
            guard let owed = channels[id]?.owed, owed.at <= now.uptime else { return [] }
            guard now.uptime.seconds(since: owed.since) < policy.probesFor else {
                channels[id]?.owed = nil
                return []
            }
            channels[id]?.owed?.at = now.uptime + policy.probing
            return offer(owed.notice, to: id, at: now, isProbe: true)
        }
    }
}
