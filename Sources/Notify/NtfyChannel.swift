package import Core
import OrderedJSON

/// Publishing to an ntfy topic, as JSON (docs.ntfy.sh/publish).
package enum NtfyChannel {
    /// The answers for which a message to this topic may carry a link. Everybody who knows the topic's name can read
    /// it, and so can the server: a link that allows is sent only if the user configured it, with a token and over TLS.
    package static func verbs(_ settings: NotifySettings.Ntfy) -> Set<Decision> {
        let isGuarded = settings.allowsDirectly && settings.token != nil && settings.server.hasPrefix("https://")
        return isGuarded ? [.allow, .deny] : [.deny]
    }

    package static func request(_ message: Message, to settings: NotifySettings.Ntfy) -> OutgoingRequest {
        var body: JSONObject = [
            "topic": .string(settings.topic), "title": .string(message.text.title),
            "message": .string(message.text.body), "tags": [.string(tag(message.notice))],
            "priority": .number(JSONNumber(priority(message.notice))), "click": .string(message.cardURL),
            // Servers from 2.16 on replace a message by a later one of the same sequence; older ones leave both.
            "sequence_id": .string(message.notice.request.map { "cdev-\($0.id)" } ?? sequence(message.notice.tag)),
        ]
        let actions = actions(message)
        if !actions.isEmpty { body["actions"] = .array(actions) }
        var headers = [("Content-Type", "application/json")]
        if let token = settings.token { headers.append(("Authorization", "Bearer \(token)")) }
        return OutgoingRequest(url: settings.server + "/", headers: headers, body: JSON.object(body).serializedBytes())
    }

    package static func outcome(_ result: ExchangeResult) -> NoticeOutcome {
        result.outcome(goneMeansNobody: false)
    }

    private static func priority(_ notice: Notice) -> Int {
        if notice.isClosing { return 1 }
        return notice.isSilent ? 2 : 4
    }

    private static func tag(_ notice: Notice) -> String {
        switch notice.subject {
        case .asked: "raised_hand"
        case .denyIgnored: "rotating_light"
        case .deviceEnds: "hourglass"
        case .ended(_, let resolution): resolution.decision == .allow ? "white_check_mark" : "no_entry_sign"
        case .idle: "zzz"
        case .reported, .stopped: "checkered_flag"
        case .test: "wave"
        }
    }

    /// `tag` in the letters ntfy takes: letters, digits, `_` and `-`, at most 64.
    private static func sequence(_ tag: String) -> String {
        let letters = tag.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: byte
            default: UInt8(ascii: "-")
            }
        }
        return String(decoding: letters.prefix(64), as: UTF8.self)
    }

    private static func actions(_ message: Message) -> [JSON] {
        guard case .asked = message.notice.subject else { return [] }
        var actions = [
            post("Allow", .allow, message)
                ?? ["action": "view", "label": "Allow", "url": .string(message.cardURL), "clear": true]
        ]
        if let deny = post("Deny", .deny, message) { actions.append(deny) }
        return actions
    }

    /// A button with which the ntfy app itself posts the answer, without opening a page.
    private static func post(_ label: String, _ verb: Decision, _ message: Message) -> JSON? {
        guard let secret = message.secrets[verb] else { return nil }
        let body: JSON = ["secret": .string(secret)]
        return [
            "action": "http", "label": .string(label), "url": .string("\(message.base)/a"), "method": "POST",
            "headers": ["Content-Type": "application/json"], "body": .string(body.serialized()), "clear": true,
        ]
    }
}
