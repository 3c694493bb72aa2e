import Core
import Crypto
import Notify
import OrderedJSON
import Wire

/// Writes the push message of a made-up request as JSON, for another implementation to decrypt and verify:
/// `push-probe ENDPOINT P256DH AUTH PRIVATE CONTACT MILLISECONDS`, keys in base64url.
@main enum Probe {
    static func main() {
        let words = CommandLine.arguments.dropFirst().map { $0 }
        guard words.count == 6, let receiver = Base64.decodeEither(words[1]),
            let secret = Base64.decodeEither(words[2]),
            let sender = Base64.decodeEither(words[3]).flatMap(P256Key.init(privateBytes:)), let time = Int64(words[5])
        else { return print("{}") }
        let now = Timestamp(milliseconds: time)
        let subscription = PushSubscription(
            deviceID: "d_1", deviceName: "phone", endpoint: words[0], p256dh: receiver, authentication: secret,
            createdAt: now)
        let request = PushChannel.request(message(at: now), to: subscription, from: sender, contact: words[4], at: now)
        guard let request else { return print("{}") }
        let headers = request.headers.map { ($0.name, JSON.string($0.value)) }
        let answer: JSON = [
            "url": .string(request.url), "headers": .object(JSONObject(headers)),
            "body": .string(Base64.encodeForURL(request.body)), "key": .string(Base64.encodeForURL(sender.publicBytes)),
        ]
        print(answer.serialized())
    }

    private static func message(at now: Timestamp) -> Message {
        let request = PermissionRequest(
            id: "r_1", toolUseID: "t", sessionID: "s1", event: .preToolUse,
            tool: Tool(name: "Bash", kind: .shellCommand, members: [.command: "command"]),
            input: KeptJSON(["command": "touch ünïcode"]), cwd: "/home/me/work", createdAt: now, deadline: now + 60)
        let notice = Notice(
            subject: .asked(request), tag: "cdev-r_1", waiting: 1, isSilent: false, expires: request.deadline)
        return Message(notice: notice, includesDetails: true, base: "https://me.example")
    }
}
