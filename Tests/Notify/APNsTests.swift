import Core
import Crypto
import Notify
import OrderedJSON
import TestSupport
import Testing
import Wire

/// What Apple's push service is sent, and what its answers mean.
@Suite struct APNsTests {
    private static let now = Timestamp(milliseconds: 1_795_170_600_000)
    private let settings = NotifySettings.APNs(
        keyFile: "/k.p8", keyID: "ABC123DEFG", teamID: "TEAM123456", topic: "com.example.app")

    private func message(
        _ name: String = "Stop", session: String = "s1", title: String = "fix it", words: String? = nil,
        deadline: Timestamp? = nil
    ) throws -> Message {
        let report = SessionReport(
            machine: ReportingMachine(id: "m1", name: "box", platform: "linux"), sessionID: session, name: name,
            timestamp: "", cwd: "/home/me/work", message: words,
            card: deadline.map { ReportedCard(requestID: "r_1", deadline: $0) })
        let notice = try #require(ReportNotice(of: report))
        let kept = KeptReportNotice(
            id: "n1", eventNumber: 1, sessionID: session, machineID: "m1", kind: notice.kind, title: title,
            body: notice.body, createdAt: Self.now, isAcknowledged: false)
        return Message(
            notice: Notice(
                subject: .reported(ReportedNotice(kept, of: notice, in: report)), tag: "t", isSilent: false,
                expires: deadline ?? Self.now + 3600), includesDetails: true, base: "https://me.example")
    }

    private func request(_ message: Message, isSandbox: Bool = false, token: String = "ABcd") throws -> OutgoingRequest
    {
        let app = PushRegistration(token: token, platform: "ios", isSandbox: isSandbox)
        return try #require(APNsChannel.request(message, to: app, settings, token: "T", at: Self.now))
    }

    private func field(_ name: String, _ request: OutgoingRequest) -> String? {
        request.headers.first { $0.name == name }?.value
    }

    @Test func theHostIsThatOfTheRegistration() throws {
        let message = try message()
        #expect(try request(message).url == "https://api.push.apple.com/3/device/abcd")
        #expect(try request(message, isSandbox: true).url == "https://api.sandbox.push.apple.com/3/device/abcd")
        #expect(field("authorization", try request(message)) == "bearer T")
    }

    @Test(arguments: [(60.0, "1795170660"), (0, "0"), (-60, "0")])
    func itExpiresWithItsCard(left: Double, expiration: String) throws {
        let message = try message("PermissionRequest", deadline: Self.now + left)
        #expect(field("apns-expiration", try request(message)) == expiration)
    }

    /// A session's id comes from another machine, and stands in a field of the request.
    @Test(arguments: ["s1", String(repeating: "s", count: 64), String(repeating: "s", count: 65), "a\r\nx: y", "é", ""])
    func idsAreShortAndPlain(id: String) throws {
        let short = APNsChannel.short(id)
        #expect((1...64).contains(short.utf8.count) && short.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        #expect((short == id) == ["s1", String(repeating: "s", count: 64)].contains(id))
        let request = try request(message(session: id.isEmpty ? "s" : id))
        #expect(request.headers.allSatisfy { !$0.value.contains { $0.isNewline } })
    }

    @Test(arguments: ["x", "é", "👍🏽", "\"", "\u{1}"])
    func theTextIsCutAtACharacter(letter: String) throws {
        let text = String(repeating: letter, count: 6000)
        let body = try request(message(title: text, words: text)).body
        #expect(body.count <= APNsChannel.longestPayload)
        let alert = try JSON(parsing: body)["aps"]?["alert"]
        for member in ["title", "body"] {
            let shown = try #require(alert?[member]?.stringValue)
            #expect(!shown.contains("\u{FFFD}") || letter == "\u{1}")
        }
    }

    @Test func whatCannotBeShortEnoughIsNotSent() throws {
        let id = String(repeating: "\u{1}", count: 256)
        let notice = try message(session: id, title: "", words: "").notice
        guard case .reported(let reported) = notice.subject else { return }
        let kept = KeptReportNotice(
            id: id + id + id, eventNumber: 1, sessionID: id, machineID: id, kind: .stop, title: "", body: "",
            createdAt: Self.now, isAcknowledged: false)
        let report = SessionReport(
            machine: ReportingMachine(id: id, name: "", platform: ""), sessionID: id, name: "Stop", timestamp: "")
        let other = ReportedNotice(kept, of: try #require(ReportNotice(of: report)), in: report)
        let long = Message(
            notice: Notice(subject: .reported(other), tag: "t", isSilent: false, expires: Self.now),
            includesDetails: true, base: "")
        #expect(APNsChannel.payload(long) == nil && reported.kept.id == "n1")
    }

    // MARK: Answers

    @Test(arguments: [
        (200, "", APNsAnswer.delivered),
        (
            410, #"{"reason":"Unregistered","timestamp":1000}"#,
            .gone(reason: "APNs answered 410 Unregistered", since: Timestamp(milliseconds: 1000))
        ),
        (410, "", .gone(reason: "APNs answered 410", since: nil)),
        (400, #"{"reason":"BadDeviceToken"}"#, .gone(reason: "APNs answered 400 BadDeviceToken", since: nil)),
        (
            400, #"{"reason":"DeviceTokenNotForTopic"}"#,
            .gone(reason: "APNs answered 400 DeviceTokenNotForTopic", since: nil)
        ),
        (403, #"{"reason":"ExpiredProviderToken"}"#, .expiredToken),
        (
            413, #"{"reason":"PayloadTooLarge"}"#,
            .failed("APNs answered 413 PayloadTooLarge", isFinal: true, retryAfter: nil)
        ),
        (
            403, #"{"reason":"InvalidProviderToken"}"#,
            .failed(
                "APNs answered 403 InvalidProviderToken: look at key_file, key_id and team_id of notify.apns",
                isFinal: true, retryAfter: nil)
        ),
        (400, #"{"reason":"a\nb"}"#, .failed("APNs answered 400", isFinal: true, retryAfter: nil)),
        (
            429, #"{"reason":"TooManyRequests"}"#,
            .failed("APNs answered 429 TooManyRequests", isFinal: false, retryAfter: 7)
        ),
        (503, "x", .failed("APNs answered 503", isFinal: false, retryAfter: 7)),
    ])
    func answers(status: Int, body: String, meaning: APNsAnswer) {
        #expect(APNsAnswer(.answered(status: status, body: Array(body.utf8), retryAfter: 7)) == meaning)
    }

    // MARK: The token

    private func token(_ text: String? = nil) throws -> APNsToken {
        let directory = try TemporaryDirectory()
        try directory.write(try text ?? String(decoding: PrivateKey.p256().pem, as: UTF8.self), to: "k.p8")
        var settings = settings
        settings.keyFile = directory("k.p8")
        return try APNsToken(settings)
    }

    private func claims(_ token: String) throws -> JSON {
        let parts = token.split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        #expect(Base64.decodeEither(parts[2])?.count == 64, "two raw numbers, not DER")
        return try JSON(parsing: try #require(Base64.decodeEither(parts[1])))
    }

    @Test func aTokenIsRenewedBeforeItsHourIsOver() throws {
        let token = try token()
        let first = try #require(token.current(at: Self.now))
        #expect(try claims(first) == ["iss": "TEAM123456", "iat": 1_795_170_600])
        #expect(token.current(at: Self.now + (APNsToken.age - 1)) == first)
        let second = try #require(token.current(at: Self.now + APNsToken.age))
        #expect(second != first && APNsToken.age < 3600)
        #expect(token.current(at: Self.now + (APNsToken.age + 60)) == second)
    }

    /// A machine that slept, and one whose clock was set back.
    @Test(arguments: [7200.0, -10]) func aTokenIsRenewedWhereTheClockJumps(seconds: Double) throws {
        let token = try token()
        let first = token.current(at: Self.now)
        #expect(token.current(at: Self.now + seconds) != first)
    }

    /// More often than every 20 minutes is refused.
    @Test func aTokenThatIsCalledExpiredIsRenewedOnce() throws {
        let token = try token()
        let first = try #require(token.current(at: Self.now))
        #expect(!token.expire(first, at: Self.now + (APNsToken.shortestAge - 1)))
        #expect(token.current(at: Self.now + (APNsToken.shortestAge - 1)) == first)
        let late = Self.now + APNsToken.shortestAge
        #expect(token.expire(first, at: late) && APNsToken.shortestAge >= 1200)
        let second = try #require(token.current(at: late))
        #expect(second != first)
        // Another push that was under way with the first one.
        #expect(token.expire(first, at: late) && token.current(at: late) == second)
    }

    @Test(arguments: [
        ("", "it holds no private key in PEM form"),
        ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "cannot be read"),
        (Self.secp256k1, "none on the curve P-256"), (String(repeating: "x", count: 20_000), "larger than"),
    ])
    func whatIsNoKeyIsSaid(text: String, reason: String) {
        let error = #expect(throws: NotifySettingError.self) { try token(text) }
        #expect(error?.key == "notify.apns.key_file")
        #expect(error?.allowed.contains(reason) == true, "\(error?.allowed ?? "")")
    }

    @Test func aMissingKeyIsSaid() {
        let error = #expect(throws: NotifySettingError.self) { try APNsToken(settings) }
        #expect(error?.value == #""/k.p8""# && error?.allowed.hasSuffix("there is no such file") == true)
    }

    /// A key of 32 bytes too, on another curve.
    private static let secp256k1 = """
        -----BEGIN PRIVATE KEY-----
        MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgSVtAR9uCje3LVsb+H0LJ
        kivvQ9BMLvU6tr3mSRzJ5UehRANCAAQcWRyfThYzBwWqGhFtRPEJlZ2q6mrmy9La
        kFv82Uy2IfL3nkD6xB4gKSQXu4hs2PX3MubYU7+dypXOPAcIdF5k
        -----END PRIVATE KEY-----
        """
}
