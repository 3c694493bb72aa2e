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
        var params: JSONObject = ["rights": .string(try rights(invocation))]
        if let name = invocation["--name"] { params["name"] = .string(name) }
        let client = try Places(invocation).client
        let offer = try client.call("pair/start", .object(params))
        Interrupt.catchIt()
        Terminal.write(
            invocation.wantsJSON
                ? ListOutput.json(offer.objectValue ?? [:])
                : invitation(offer, pin: try client.call("status/get")["tls"]?.text("pin") ?? "", invocation))
        var wait = PairingWait(client: client, offer: offer.text("offer_id"), isJSON: invocation.wantsJSON)
        try wait.run()
    }

    static let pairApprove = Command(
        "pair approve", operands: "ID", 1...1, summary: "approve a device that typed its code",
        details: "ID is the id of its request, as `cdev pair` shows it."
    ) { invocation in
        let id = invocation.operands[0]
        let result = try Places(invocation).client.call("pair/approve", ["request_id": .string(id)])
        Terminal.write("\(result.text("name").shown(60)) may come in\n")
    }

    static let pairReject = Command(
        "pair reject", operands: "ID", 1...1, summary: "reject a device that typed its code",
        details: "ID is the id of its request, as `cdev pair` shows it, or of an invitation to take back."
    ) { invocation in
        let id = invocation.operands[0]
        _ = try Places(invocation).client.call("pair/reject", ["request_id": .string(id)])
        Terminal.write("\(id.shown(60)) turned away\n")
    }

    /// - Parameter pin: The pin of the local certificate authority; empty if there is none.
    private static func invitation(_ offer: JSON, pin: String, _ invocation: Invocation) -> String {
        let url = offer.text("url")
        let base = url.prefix { $0 != "#" }
        var text = ""
        if let code = QRCode(url), code.widthWithMargin <= TerminalLines.columns ?? .max {
            text += "\n" + code.terminal(colours: TerminalLines.hasColours(invocation.environment)) + "\n"
        }
        text += """
            Scan this or open it on the device, which may then \(offer.text("access")):
              \(url)
            Or open \(base) there and type  \(offer.text("code"))


            """
        if ["//127.", "//localhost", "//[::1]"].contains(where: url.holds) {
            text += "Only this machine reaches this address; docs/operations.md says how others can.\n"
        }
        if !pin.isEmpty {
            text += "A device that does not know this machine yet installs \(base)ca.crt first; its key is\n  \(pin)\n"
        }
        return text + "Good once, for two minutes. Waiting…\n"
    }
}

/// The abilities of standard output.
private enum TerminalLines {
    /// The terminal's columns; `nil` if standard output is no terminal.
    static var columns: Int? {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// https://no-color.org
    static func hasColours(_ environment: [String: String]) -> Bool {
        isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
}
