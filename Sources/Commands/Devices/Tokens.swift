import Core
import OrderedJSON

extension Command {
    static let tokenCreate = Command(
        "token create", operands: "NAME", 1...1, summary: "make a token with which a program may answer",
        details: "It is shown once, stored hashed and does not expire. Send it as `Authorization: Bearer TOKEN`.",
        options: [.json, .rights]
    ) { invocation in
        let name = invocation.operands[0]
        let result = try Places(invocation).client.call(
            "token/create", ["name": .string(name), "rights": .string(try rights(invocation))])
        if invocation.wantsJSON { return Terminal.write(ListOutput.json(result.objectValue ?? [:])) }
        Terminal.write(result.text("token") + "\n")
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
        guard ["approve", "view"].contains(level) else {
            throw .usage("--rights is approve or view, not `\(level.shown(40))`", invocation.command)
        }
        return level
    }
}

extension CommandOption {
    static let rights = CommandOption(
        "--rights", "approve|view", "view: it may look, but not answer; approve unless told")
}
