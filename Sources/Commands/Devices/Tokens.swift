import Core
import OrderedJSON

extension Command {
    static let tokenCreate = Command(
        "token create", operands: "NAME", 1...1, summary: "make a token with which a program may answer",
        details: "It is shown once, stored hashed and does not expire. Send it as `Authorization: Bearer TOKEN`.",
        options: [.json, .rights]
    ) { invocation in
        let name = invocation.operands[0]
        let level = try rights(invocation)
        let result = try Places(invocation).client.call(
            "token/create", ["name": .string(name), "rights": .string(level)])
        if invocation.wantsJSON { return Terminal.write(ListOutput.json(result.objectValue ?? [:])) }
        Terminal.write(result.text("token") + "\n")
        warn(ofRights: level, invocation)
        Terminal.complain("shown this once; revoke it with `cdev token revoke \(name.shown(60))`")
    }

    static let tokenList = Command("token list", summary: "show who has a token", options: [.json]) { invocation in
        let result = try Places(invocation).client.call("token/list")
        ListOutput.print(
            invocation, result, ["NAME", "CREATED", "LAST USED", "MAY"],
            result.list("tokens").map { token in
                [
                    token.text("name").cell, token.clock("created_at"),
                    token.text("last_used").isEmpty ? "not yet" : token.clock("last_used"),
                    AccessLevel(Set(token.list("rights").compactMap { $0.stringValue.flatMap(Right.init) })).rawValue,
                ]
            }, cutting: ["NAME"],
            empty: "no tokens; make one with `cdev token create NAME`, or let a device in with `cdev pair`")
    }

    static let tokenRevoke = Command(
        "token revoke", operands: "NAME", 1...1, summary: "revoke a token"
    ) { invocation in
        let result = try Places(invocation).client.call("token/revoke", ["name": .string(invocation.operands[0])])
        Terminal.write(revoked(result))
    }

    /// The value of `--rights`, checked; `approve` by default.
    static func rights(_ invocation: Invocation) throws(CommandFailure) -> String {
        let level = invocation["--rights"] ?? "approve"
        guard AccessLevel(rawValue: level) != nil else {
            throw .usage("--rights is approve, drive or view, not `\(level.shown(40))`", invocation.command)
        }
        return level
    }

    /// Says on standard error what the right to drive means, where it is given.
    static func warn(ofRights level: String, _ invocation: Invocation) {
        guard level == AccessLevel.drive.rawValue else { return }
        Terminal.complain(Paint(invocation.environment).bad(driveWarning))
    }

    private static let driveWarning =
        "Whoever has this may change files and repositories, read secrets and run Claude: it is as good as a shell on this "
        + "machine. Give it to a device that you would let type here."
}

extension CommandOption {
    static let rights = CommandOption(
        "--rights", "approve|drive|view",
        "view: it may look, but not answer; drive: as good as a shell here; approve unless told")
}
