import Core
import Crypto
import Notify
import OrderedJSON
import TestSupport
import Testing

/// What each channel sends, byte for byte where it matters.
@Suite struct MessageTests {
    private static let now = Timestamp(milliseconds: 1_795_170_600_000)

    private func message(
        secrets: [Decision: String] = [.allow: "SA", .deny: "SD"], isSilent: Bool = false, isEnded: Bool = false
    ) -> Message {
        let request = PermissionRequest(
            id: "r_1", toolUseID: "t", sessionID: "s1", event: .preToolUse, tool: .claude("Bash"),
            input: KeptJSON(["command": "touch x"]), cwd: "/work", createdAt: Self.now, deadline: Self.now + 60)
        let resolution = Resolution(decision: .allow, resolver: .local, reason: "", at: Self.now)
        let notice = Notice(
            subject: isEnded ? .ended(request, resolution) : .asked(request), tag: "cdev-r_1", waiting: 1,
            isSilent: isSilent, expires: Self.now + 60)
        return Message(
            notice: notice, includesDetails: false, base: "https://me.example", secrets: isEnded ? [:] : secrets)
    }

    private func json(_ request: OutgoingRequest) throws -> JSON { try JSON(parsing: request.body) }

    @Test(arguments: [
        (false, nil as String?, "https://n", [Decision.deny]), (true, nil, "https://n", [.deny]),
        (true, "tk", "http://n", [.deny]), (false, "tk", "https://n", [.deny]),
        (true, "tk", "https://n", [.allow, .deny]),
    ])
    func ntfyAllowsDirectlyOnlyWithATokenAndTLS(allow: Bool, token: String?, server: String, verbs: [Decision]) {
        let settings = NotifySettings.Ntfy(server: server, topic: "t", token: token, allowsDirectly: allow)
        #expect(NtfyChannel.verbs(settings) == Set(verbs))
    }

    @Test func ntfyActionsPostWhatTheyHaveALinkFor() throws {
        let settings = NotifySettings.Ntfy(server: "https://n/sub", topic: "t")
        let request = NtfyChannel.request(message(secrets: [.deny: "SD"]), to: settings)
        #expect(request.url == "https://n/sub/" && !request.isForeign)
        let actions = try #require(try json(request)["actions"]?.arrayValue)
        #expect(actions.map { $0["action"] } == ["view", "http"])
        #expect(actions[0]["url"] == "https://me.example/#request=r_1")
        #expect(actions[1]["url"] == "https://me.example/a" && actions[1]["body"] == #"{"secret":"SD"}"#)
        let both = try json(NtfyChannel.request(message(), to: settings))["actions"]?.arrayValue ?? []
        #expect(both.map { $0["body"] } == [#"{"secret":"SA"}"#, #"{"secret":"SD"}"#])
        let ended = try json(NtfyChannel.request(message(isEnded: true), to: settings))
        #expect(ended["actions"] == nil && ended["priority"] == 1 && ended["sequence_id"] == "cdev-r_1")
        #expect(try json(NtfyChannel.request(message(isSilent: true), to: settings))["priority"] == 2)
    }

    @Test func aWebhookGetsLinksOnlyWithSecrets() throws {
        let settings = NotifySettings.Webhook(url: "https://w/x", secret: "k", answers: true)
        let request = WebhookChannel.request(message(), to: settings, delivery: 7, at: Self.now)
        let links: JSON = ["allow": "https://me.example/a#SA", "deny": "https://me.example/a#SD"]
        #expect(try json(request)["links"] == links)
        #expect(request.headers.map(\.name) == ["Content-Type", "Cdev-Delivery", "Cdev-Signature"])
        let bare = WebhookChannel.request(message(secrets: [:]), to: .init(url: "https://w"), delivery: 7, at: Self.now)
        #expect(try json(bare)["links"] == nil && bare.headers.count == 2)
        #expect(WebhookChannel.verbs(.init(url: "https://w")).isEmpty)
    }

    @Test func aPushSaysHowLongItIsWorth() throws {
        let receiver = P256Key.generate()
        let subscription = PushSubscription(
            deviceID: "d_1", deviceName: "phone", endpoint: "https://push.example/x/y", p256dh: receiver.publicBytes,
            authentication: [UInt8](repeating: 1, count: 16), createdAt: Self.now)
        let request = try #require(
            PushChannel.request(
                message(), to: subscription, from: .generate(), contact: "mailto:a@example.com", at: Self.now + 13))
        let headers = Dictionary(request.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        #expect(headers["TTL"] == "47" && headers["Urgency"] == "high" && headers["Content-Encoding"] == "aes128gcm")
        #expect(headers["Topic"]?.count == 32 && request.isForeign)
        let payload = try JSON(parsing: PushChannel.payload(message()))
        #expect(
            payload == [
                "title": "work: Bash", "body": "waits for your answer", "tag": "cdev-r_1", "request_id": "r_1",
                "url": "https://me.example/#request=r_1", "silent": false,
            ])
    }

    @Test(arguments: [
        "http://push.example/x", "https://push.example", "https://push.example:444/x", "https://u@push.example/x",
        "https://push.example\\@evil/x", "https://push/x", "https://.example/x", "https://a..example/x",
        "https://push.example/x#y", "https://push.example/ x", "https://[::1]/x", "https://pu\u{161}h.example/x", "",
    ])
    func isNoPushEndpoint(url: String) {
        #expect(PushEndpoint(url) == nil)
    }

    @Test(arguments: [
        ("https://fcm.googleapis.com/fcm/send/x", true), ("https://FCM.googleapis.com/x", true),
        ("https://db5p.notify.windows.com/w/?token=x", true), ("https://web.push.apple.com/x", true),
        ("https://updates.push.services.mozilla.com/wpush/v2/x", true), ("https://notify.windows.com/x", false),
        ("https://evilfcm.googleapis.com/x", false), ("https://fcm.googleapis.com.evil.example/x", false),
        ("https://evilnotify.windows.com/x", false), ("https://127.0.0.1/x", false),
    ])
    func isOnTheShippedHosts(url: String, isOn: Bool) {
        #expect(PushEndpoint(url)?.isOn(NotifySettings.shippedPushHosts) == isOn)
    }

    @Test(arguments: [
        (200, NoticeOutcome.delivered), (201, .delivered), (404, .gone), (410, .gone),
        (301, .failed("it answered 301, a redirect, which is not followed", isFinal: true)),
        (403, .failed("it answered 403", isFinal: true)),
        (429, .failed("it answered 429", isFinal: false, retryAfter: 9)),
        (503, .failed("it answered 503", isFinal: false, retryAfter: 9)),
    ])
    func statusOfAPushService(status: Int, outcome: NoticeOutcome) {
        #expect(PushChannel.outcome(.answered(status: status, body: [], retryAfter: 9)) == outcome)
    }

    @Test func aTopicThatIsNotThereIsAFailure() {
        let outcome = NtfyChannel.outcome(.answered(status: 404, body: [], retryAfter: nil))
        #expect(outcome == .failed("it answered 404", isFinal: true))
        #expect(NtfyChannel.outcome(.failed("x")) == .failed("x", isFinal: false))
    }
}
