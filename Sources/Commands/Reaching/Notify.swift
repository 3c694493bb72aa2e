import OrderedJSON
import QRCode

extension Command {
    static let notifyNtfy = Command(
        "notify ntfy", operands: "[URL]", 0...1, summary: "notify your phone by ntfy, and send a test",
        details: """
            URL is a topic's address; without it, a topic at ntfy.sh that nobody can guess. Shows the address as a QR code
            for the ntfy app. Changes config.json and restarts the daemon.
            """,
        options: [
            CommandOption("--home", "DIR", "in place of $CDEV_HOME"),
            CommandOption("--token", "TOKEN", "an access token of the ntfy server"),
        ]
    ) { invocation in
        let places = try Places(invocation)
        let url = invocation.operands.first ?? "https://ntfy.sh/cdev-" + UnguessableText.make(24)
        var channel: JSONObject = ["url": .string(url)]
        if let token = invocation["--token"] { channel["token"] = .string(token) }
        let status = try NotifySetup.apply(["ntfy"], .object(channel), invocation, places)
        if let code = QRCode(url), code.widthWithMargin <= TerminalLines.columns ?? .max {
            Terminal.write("\n" + code.terminal(colours: TerminalLines.hasColours(invocation.environment)))
        }
        Terminal.write(
            """
            Subscribe to this topic in the ntfy app (https://ntfy.sh/app); who knows it can read the messages:
              \(url.shown(300))

            """)
        try NotifySetup.test("ntfy", status, places)
    }

    static let notifyOff = Command(
        "notify off", operands: "[ntfy|webhook]", 0...1,
        summary: "end notifications by ntfy, by webhook, or by both",
        details: "Web Push is switched off on the device's page. Changes config.json and restarts the daemon.",
        options: [CommandOption("--home", "DIR", "in place of $CDEV_HOME")]
    ) { invocation in
        let places = try Places(invocation)
        let known = ["ntfy", "webhook"]
        let names = invocation.operands.isEmpty ? known : invocation.operands
        guard names.allSatisfy(known.contains) else {
            throw CommandFailure.usage(
                "`cdev notify off` takes ntfy or webhook, not `\(names[0].shown(40))`", invocation.command)
        }
        let set = try NotifySetup.channels(places)
        guard names.contains(where: { set[$0] != nil }) else {
            return Terminal.write("nothing to end: there are no notifications by \(names.joined(separator: " or "))\n")
        }
        _ = try NotifySetup.apply(names, nil, invocation, places)
        Terminal.write("no more notifications by \(names.joined(separator: " and "))\n")
    }

    static let notifyWebhook = Command(
        "notify webhook", operands: "URL", 1...1, summary: "post notifications to a program of yours, and send a test",
        details: """
            The messages are signed with a random secret, which is printed once (docs/protocol.md says how it is checked).
            Changes config.json and restarts the daemon.
            """,
        options: [
            CommandOption("--answers", nil, "send links that answer along; then calls are held for it"),
            CommandOption("--home", "DIR", "in place of $CDEV_HOME"),
        ]
    ) { invocation in
        let places = try Places(invocation)
        let secret = UnguessableText.make(40)
        var channel: JSONObject = ["url": .string(invocation.operands[0]), "secret": .string(secret)]
        if invocation.has("--answers") { channel["answers"] = true }
        let status = try NotifySetup.apply(["webhook"], .object(channel), invocation, places)
        Terminal.write("the secret that signs the messages: \(secret)\n")
        try NotifySetup.test("webhook", status, places)
    }
}

/// The common part of the commands that set a notification channel up.
private enum NotifySetup {
    /// The channels in `config.json`, by name.
    static func channels(_ places: Places) throws(CommandFailure) -> JSONObject {
        try ConfigurationRight.require(places)
        return try ConfigurationDraft(home: places.home)["notify"]?.objectValue ?? [:]
    }

    /// Writes the channels of these names to `config.json`, or removes them, and restarts the daemon. Returns its status.
    static func apply(
        _ names: [String], _ channel: JSON?, _ invocation: Invocation, _ places: Places
    ) throws(CommandFailure) -> JSON {
        try ConfigurationRight.require(places)
        var file = try ConfigurationDraft(home: places.home)
        var notify = file["notify"]?.objectValue ?? [:]
        for name in names { notify[name] = channel }
        try file.set("notify", notify.isEmpty ? nil : .object(notify))
        try file.write()
        do throws(CommandFailure) {
            try DaemonRestart.run(invocation)
            return try places.client.call("status/get")
        } catch {
            try? file.restore()
            try? DaemonRestart.run(invocation)
            throw CommandFailure(error.status, "\(error.message); config.json is as it was")
        }
    }

    /// Sends a test message, and says what keeps requests from being held for this channel.
    static func test(_ name: String, _ status: JSON, _ places: Places) throws(CommandFailure) {
        for channel in status.list("notify") where channel.text("channel").hasPrefix(name) {
            let obstacle = channel.text("obstacle")
            guard !obstacle.isEmpty else { continue }
            Terminal.write("nothing is held for it yet: \(obstacle.shown(200)); `cdev expose tailscale` changes that\n")
        }
        let tests = try places.client.call("notify/test").list("channels")
        guard let test = tests.first(where: { $0.text("channel").hasPrefix(name) }) else {
            throw CommandFailure(.other, "the daemon knows no channel \(name); see `cdev status`")
        }
        guard test["delivered"]?.boolValue == true else {
            throw CommandFailure(
                .other,
                "the test message was not taken: \(test.text("failure").shown(200)); "
                    + "`cdev doctor --notify` sends another, `cdev notify off \(name)` removes the channel")
        }
        Terminal.write("a test message was sent: does it show?\n")
    }
}

/// Random text from the kernel's generator.
enum UnguessableText {
    /// Letters and digits, of 32 kinds: five bits each.
    static func make(_ count: Int) -> String {
        var random = SystemRandomNumberGenerator()
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        return String((0..<count).map { _ in letters[Int(random.next(upperBound: UInt(letters.count)))] })
    }
}
