import OrderedJSON

extension Command {
    static let devices = Command(
        "devices", summary: "show the devices that may connect, and when each was last seen", options: [.json]
    ) { invocation in
        let result = try Places(invocation).client.call("device/list")
        ListOutput.print(
            invocation, result, ["ID", "NAME", "MAY", "LAST SEEN", "FROM", "SINCE", "ENDS"],
            result.list("devices").map { device in
                [
                    String(device.text("device_id").prefix(10)), device.text("name").cell, device.text("access"),
                    device["connected"]?.boolValue == true ? "connected" : device.clock("last_seen"),
                    device.text("last_address").shown(45), device.clock("created_at"),
                    device.text("expires_at").isEmpty ? "never" : device.clock("expires_at"),
                ]
            }, cutting: ["NAME", "FROM"], empty: "no devices; let one in with `cdev pair`")
    }

    static let devicesRevoke = Command(
        "devices revoke", operands: "ID", 1...1, summary: "revoke a device",
        details: """
            ID is an id as `cdev devices` shows it, the beginning of one, or a name. Its connections close at once, and
            the session rules it granted are dropped; what it decided stands.
            """,
        options: [.json]
    ) { invocation in
        let client = try Places(invocation).client
        let id = try find(invocation.operands[0], among: client.call("device/list").list("devices"))
        let result = try client.call("device/revoke", ["device_id": .string(id)])
        if invocation.wantsJSON { return Terminal.write(ListOutput.json(result.objectValue ?? [:])) }
        Terminal.write(revoked(result))
    }

    private static func find(_ selector: String, among devices: [JSON]) throws(CommandFailure) -> String {
        let named = devices.filter { $0.text("name") == selector && !selector.isEmpty }
        if named.count == 1 { return named[0].text("device_id") }
        let all = (named.isEmpty ? devices : named).map { (id: $0.text("device_id"), about: $0.text("name").shown(60)) }
        guard named.isEmpty else {
            throw CommandFailure(
                .usage, "\(selector.shown(60)) could be any of \(all.count) devices: \(ShortID.list(all)); give an id")
        }
        guard let id = try ShortID.find(selector, among: all, "devices") else {
            throw CommandFailure(.other, "there is no device \(selector.shown(60)); `cdev devices` lists them")
        }
        return id
    }

    /// The text that names a revoked device or token and the rules dropped with it.
    static func revoked(_ result: JSON) -> String {
        let rules = result.list("rules_dropped")
        var text = "\(result.text("name").shown(60)) revoked\n"
        if !rules.isEmpty {
            text += "with it went \(rules.count == 1 ? "a rule" : "\(rules.count) rules") it had granted:\n"
        }
        for rule in rules {
            text +=
                "  \(rule.text("effect")) \(rule.text("pattern").shown(100))  (session \(rule.text("session_id").shown(40).prefix(8)))\n"
        }
        return text
    }
}
