/// Makes notices from events.
extension NoticeState {
    package mutating func note(_ event: EventRecord, at now: Instant) -> [NoticeEffect] {
        switch event.body {
        case .permission(let request): opened(request, at: now)
        case .permissionResolved(let request, let resolution, let corrects):
            return corrects ? [] : ended(request, resolution, at: now)
        case .stop(let hook) where policy.tellsStop && hook.agentID == nil:
            postpone(.stopped(sessionID: event.sessionID, cwd: hook.cwd), tag: "stop-", event, at: now)
        case .notification(let hook) where policy.tellsIdle && hook.details.notice == .idle:
            postpone(.idle(sessionID: event.sessionID, cwd: hook.cwd), tag: "idle-", event, at: now)
        case .denyIgnored(let deny):
            return alarm(deny, at: now)
        case .prompt, .sessionEnd, .sessionStart:
            // The user is there, or the session has ended: that it stopped or idled is no news.
            later["stop-" + event.sessionID] = nil
            later["idle-" + event.sessionID] = nil
        default: break
        }
        return []
    }

    /// Notifies at once and with sound, whatever was sent just before.
    private mutating func alarm(_ deny: IgnoredDeny, at now: Instant) -> [NoticeEffect] {
        let notice = Notice(
            subject: .denyIgnored(deny), tag: "denied-" + deny.requestID, isSilent: false, expires: now.wall + 3600)
        return offer(notice, at: now)
    }

    private mutating func opened(_ request: PermissionRequest, at now: Instant) {
        guard !channels.isEmpty, cards[request.id]?.request.opening != request.opening else { return }
        cards[request.id] = Card(request: request, due: due(at: now), tag: nil)
    }

    private mutating func postpone(_ subject: Notice.Subject, tag: String, _ event: EventRecord, at now: Instant) {
        guard !channels.isEmpty, later.count < Self.mostLater else { return }
        later[tag + event.sessionID] = Later(subject: subject, due: due(at: now))
    }

    /// Notes a notification that was kept, for the channels that take reports. A later one of its session replaces it if
    /// it comes before this was told.
    package mutating func reported(_ notice: ReportedNotice, at now: Instant) {
        let tag = "report-" + notice.kept.sessionID
        guard takesReports, later[tag] != nil || later.count < Self.mostLater else { return }
        later[tag] = Later(subject: .reported(notice), due: due(at: now))
    }

    /// True if a channel takes reports.
    package var takesReports: Bool { channels.values.contains { $0.channel.takesReports } }

    private func due(at now: Instant) -> Uptime {
        now.uptime + (isInView(at: now) ? policy.delayInView : policy.gathering)
    }

    private mutating func ended(
        _ request: PermissionRequest, _ resolution: Resolution, at now: Instant
    ) -> [NoticeEffect] {
        guard let card = cards.removeValue(forKey: request.id), let tag = card.tag else { return [] }
        let expires = now.wall + 3600
        let closing = Notice(
            subject: .ended(request, resolution), tag: tag, waiting: waiting(request.sessionID), isSilent: true,
            expires: expires)
        for id in channels.keys where channels[id]?.owed?.notice.request?.id == request.id {
            channels[id]?.owed?.notice = closing
        }
        // A notification that other open requests share is updated to them.
        let rest = cards.values.filter { $0.tag == tag }
            .min { ($0.request.deadline, $0.request.id) < ($1.request.deadline, $1.request.id) }
        return channels.values.filter { !$0.channel.takesReports }.map(\.channel.id).sorted().flatMap { id in
            guard let rest, channels[id]?.channel.gathers == true else { return offer(closing, to: id, at: now) }
            return offer(asking(rest.request, tag: tag, isSilent: true), to: id, at: now)
        }
    }

    // MARK: Telling

    mutating func tell(_ card: Card, at now: Instant) -> [NoticeEffect] {
        let own = "cdev-" + card.request.id
        let (sound, isSilent) = sound(in: card.request.sessionID, tag: own, at: now)
        let tag = sound ?? own
        cards[card.request.id]?.tag = tag
        return offer(asking(card.request, tag: tag, isSilent: isSilent), at: now)
    }

    mutating func tell(_ subject: Notice.Subject, tag: String, at now: Instant) -> [NoticeEffect] {
        if case .reported(let reported) = subject { return tell(reported, tag: tag, at: now) }
        let session = Notice(subject: subject, tag: tag, isSilent: true, expires: now.wall).sessionID ?? ""
        let (_, isSilent) = sound(in: session, tag: nil, at: now)
        let notice = Notice(
            subject: subject, tag: tag, waiting: waiting(session), isSilent: isSilent, expires: now.wall + 3600)
        return offer(notice, at: now)
    }

    /// Aloud each time: which notifications come too soon was decided when they were kept.
    private mutating func tell(_ reported: ReportedNotice, tag: String, at now: Instant) -> [NoticeEffect] {
        let expires = reported.card?.deadline ?? now.wall + 3600
        return offer(Notice(subject: .reported(reported), tag: tag, isSilent: false, expires: expires), at: now)
    }

    /// Offers a notice to each channel that is told of its subject.
    private mutating func offer(_ notice: Notice, at now: Instant) -> [NoticeEffect] {
        channels.values.filter { $0.channel.takes(notice.subject) }.map(\.channel.id).sorted()
            .flatMap { offer(notice, to: $0, at: now) }
    }

    /// Says that a device's right ends within a day.
    package mutating func tellOfEnd(of device: Device, at now: Instant) -> [NoticeEffect] {
        tell(.deviceEnds(name: device.name), tag: "device-" + device.id, at: now)
    }

    private func asking(_ request: PermissionRequest, tag: String, isSilent: Bool) -> Notice {
        Notice(
            subject: .asked(request), tag: tag, waiting: waiting(request.sessionID), isSilent: isSilent,
            expires: request.deadline)
    }

    private func waiting(_ session: String) -> Int {
        cards.values.count { $0.request.sessionID == session }
    }

    /// Returns the tag of the notification, and if it is silent: within `coolDown` after a sound of the same session,
    /// the tag of the notification with that sound, and true.
    private mutating func sound(in session: String, tag: String?, at now: Instant) -> (tag: String?, isSilent: Bool) {
        if let sound = sounds[session], now.uptime.seconds(since: sound.at) < policy.coolDown {
            return (sound.tag, true)
        }
        if sounds.count >= Self.mostSounds {
            sounds = sounds.filter { now.uptime.seconds(since: $0.value.at) < policy.coolDown }
        }
        if sounds.count < Self.mostSounds { sounds[session] = Sound(tag: tag, at: now.uptime) }
        return (tag, false)
    }

    // MARK: Presence

    /// Notes the visibility of the page of a client that may decide.
    /// - Parameter idleFor: Seconds since its user last touched it.
    package mutating func presence(of client: String, isVisible: Bool, idleFor seconds: Double, at now: Instant) {
        guard isVisible else {
            presences[client] = nil
            return
        }
        if presences[client] == nil, presences.count >= Self.mostPresences {
            presences = presences.filter { now.uptime.seconds(since: $0.value.lastInput) < policy.inputCounts }
            guard presences.count < Self.mostPresences else { return }
        }
        presences[client] = Presence(lastInput: now.uptime + -max(0, seconds))
    }

    package func isInView(at now: Instant) -> Bool {
        presences.values.contains { now.uptime.seconds(since: $0.lastInput) < policy.inputCounts }
    }
}

extension NoticeChannel {
    fileprivate func takes(_ subject: Notice.Subject) -> Bool {
        switch subject {
        case .asked, .ended, .idle, .stopped: !takesReports
        case .reported: takesReports
        case .denyIgnored, .deviceEnds, .test: true
        }
    }
}
