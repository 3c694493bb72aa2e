import Core
import Platform
import Services

/// Sends pushes to apps: the token, the host and the pauses that the push service asks for.
final class APNsSender: Sendable {
    private let settings: NotifySettings.APNs
    private let token: APNsToken
    private let apps: PushRegistrations
    private let clock: any TimeSource
    private let http: HTTPSender
    /// The time until which nothing is sent, by host or channel.
    private let pauses = Locked<[String: Uptime]>([:])

    /// Seconds; a longer pause that a server asks for is cut, so that one wrong answer does not end pushes for good.
    static let longestPause: Double = 3600

    init(_ settings: NotifySettings.APNs, token: APNsToken, apps: PushRegistrations, clock: any TimeSource) {
        self.settings = settings
        self.token = token
        self.apps = apps
        self.clock = clock
        var options = HTTPOptions()
        // A hundred streams are what servers allow at least (RFC 9113 section 6.5.2); all are in one connection.
        options.mostRunning = 100
        options.mostWaiting = 1000
        options.isMultiplexed = true
        options.authority = settings.authority
        http = HTTPSender(options)
    }

    func stop() { http.stop() }

    func owns(_ channel: String) -> Bool { apps.registration(channel: channel) != nil }

    /// - Parameter channel: The channel of the app.
    func send(_ message: Message, to channel: String) async -> NoticeOutcome {
        guard let app = apps.registration(channel: channel) else { return .gone }
        let host = app.registration.isSandbox ? settings.sandboxHost : settings.host
        if let rest = pause([host, channel]) {
            let seconds = Int(rest.rounded(.up))
            return .failed("APNs asked for a pause, \(seconds) s of it are left", isFinal: false, retryAfter: rest)
        }
        let now = clock.now().wall
        guard let token = token.current(at: now),
            let request = APNsChannel.request(message, to: app.registration, settings, token: token, at: now)
        else { return .failed("the push could not be made short enough", isFinal: true) }
        let result = await http.send(request)
        note(result, host: host, channel: channel)
        return outcome(APNsAnswer(result), token: token, channel: channel)
    }

    private func outcome(_ answer: APNsAnswer, token text: String, channel: String) -> NoticeOutcome {
        switch answer {
        case .delivered: return .delivered
        case .failed(let reason, let isFinal, let retryAfter):
            return .failed(reason, isFinal: isFinal, retryAfter: retryAfter)
        case .gone(let reason, let since):
            // The app may have registered again since the service last looked.
            guard let since, let app = apps.registration(channel: channel), app.registeredAt > since else {
                return .gone
            }
            return .failed("\(reason), though the app registered again since", isFinal: false)
        case .expiredToken:
            let isRenewed = token.expire(text, at: clock.now().wall)
            let advice = isRenewed ? "" : ", though it is new: is the clock of this machine right?"
            return .failed("APNs called the provider's token expired\(advice)", isFinal: false)
        }
    }

    // MARK: Pauses

    /// Seconds until none of the keys is paused; `nil` if none is.
    private func pause(_ keys: [String]) -> Double? {
        let now = clock.now().uptime
        return pauses.withLock { pauses in
            pauses = pauses.filter { $0.value > now }
            return keys.compactMap { pauses[$0] }.max().map { $0.seconds(since: now) }
        }
    }

    /// `TooManyRequests` is about one app, all else about the service.
    private func note(_ result: ExchangeResult, host: String, channel: String) {
        guard case .answered(let status, let body, let retryAfter?) = result, status == 429 || status >= 500 else {
            return
        }
        let isOfApp = APNsAnswer.reason(body) == "TooManyRequests"
        let until = clock.now().uptime + min(retryAfter, Self.longestPause)
        pauses.withLock { $0[isOfApp ? channel : host] = until }
    }
}
