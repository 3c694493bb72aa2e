import Glibc
import OrderedJSON
import QRCode

extension Command {
    static let pair = Command(
        "pair", summary: "pair a phone or browser, by a QR code, a link or a typed code",
        details: """
            Waits until the device has come in. The invitation is good for one device and two minutes; Ctrl-C takes it
            back. A device that types the code is let in only after you say so here.
            """,
        options: [.json, CommandOption("--name", "NAME", "what to call it; otherwise as it calls itself"), .rights]
    ) { invocation in
        let level = try rights(invocation)
        var params: JSONObject = ["rights": .string(level)]
        if let name = invocation["--name"] { params["name"] = .string(name) }
        let client = try Places(invocation).client
        let offer = try client.call("pair/start", .object(params))
        Interrupt.catchIt()
        warn(ofRights: level, invocation)
        Terminal.write(
            invocation.wantsJSON
                ? ListOutput.json(offer.objectValue ?? [:])
                : invitation(offer, status: try client.call("status/get"), invocation))
        var wait = PairingWait(client: client, offer: offer.text("offer_id"), isJSON: invocation.wantsJSON)
        try wait.run()
    }

    static let pairApprove = Command(
        "pair approve", operands: "ID", 1...1, summary: "approve a device that typed its code",
        details: "ID is the id of its request, as `cdev pair` shows it."
    ) { invocation in
        let client = try Places(invocation).client
        let id = try waiting(invocation.operands[0], client)
        let result = try client.call("pair/approve", ["request_id": .string(id)])
        Terminal.write("\(result.text("name").shown(60)) may come in\n")
    }

    static let pairReject = Command(
        "pair reject", operands: "ID", 1...1, summary: "reject a device that typed its code",
        details: "ID is the id of its request, as `cdev pair` shows it, or of an invitation to take back."
    ) { invocation in
        let client = try Places(invocation).client
        let id = try waiting(invocation.operands[0], client)
        _ = try client.call("pair/reject", ["request_id": .string(id)])
        Terminal.write("\(id.shown(60)) turned away\n")
    }

    /// Characters of an id from which it is taken for a whole one.
    private static let longestPrefix = 24

    /// The id of the pairing request or invitation that `typed` begins; `typed` itself if the daemon knows none.
    private static func waiting(_ typed: String, _ client: DaemonClient) throws(CommandFailure) -> String {
        // The daemon tells every approver which method an agent tried: with a whole id that is this command's own.
        guard typed.count < longestPrefix else { return typed }
        let now = try client.call("pair/pending")
        let all =
            now.list("requests").map { (id: $0.text("request_id"), about: $0.text("name").shown(60)) }
            + now.list("offers").map { (id: $0.text("offer_id"), about: "") }
        return try ShortID.find(typed, among: all, "pairing requests") ?? typed
    }

    private static func invitation(_ offer: JSON, status: JSON, _ invocation: Invocation) -> String {
        let url = offer.text("url")
        let base = url.prefix { $0 != "#" }
        let isReachable = isReachable(status)
        var text = ""
        // No phone can open a link to this machine itself.
        if isReachable, let code = QRCode(url), code.widthWithMargin <= TerminalLines.columns ?? .max {
            text += "\n" + code.terminal(colours: TerminalLines.hasColours(invocation.environment)) + "\n"
        }
        let way = isReachable ? "Scan this or open it on the device" : "Open this in a browser of this machine"
        text += """
            \(way), which may then \(offer.text("access")):
              \(url)
            Or open \(base) there and type  \(offer.text("code"))


            """
        if !isReachable {
            text += "No other device reaches this address: `cdev expose tailscale` or `cdev expose lan` changes that.\n"
        }
        let pin = status["tls"]?.text("pin") ?? ""
        if !pin.isEmpty {
            text += "A device that does not know this machine yet installs \(base)ca.crt first; its key is\n  \(pin)\n"
        }
        return text + "Good once, for two minutes. Waiting…\n"
    }

    /// False if the link leads to this machine only. A `public_url` on loopback is intended: a port is forwarded to it.
    private static func isReachable(_ status: JSON) -> Bool {
        let base = status.text("base_url")
        return !status.text("public_url").isEmpty
            || !["//127.", "//localhost", "//[::1]"].contains(where: base.holds)
    }
}
