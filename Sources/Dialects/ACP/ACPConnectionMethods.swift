import Core
import OrderedJSON
import Services
import Wire

/// The methods that an editor calls first.
struct ACPConnectionMethods: MethodGroup {
    var methods: [Method] { [authenticate, initialize] }

    private var initialize: Method {
        Method(
            "initialize", right: .drive, summary: "Begins: tells the version of the protocol and what is offered.",
            parameters: .object("clientCapabilities", "what the editor can do"),
            .object("clientInfo", "the editor's `name` and `version`"), result: .anyObject
        ) { call, able, info async throws(JSONRPCError) in
            if able?["elicitation"]?["form"]?.objectValue != nil { (call.client as? ACPClient)?.noteForms() }
            await call.client.introduce(
                ClientIntroduction(
                    name: info?["name"]?.stringValue ?? "", version: info?["version"]?.stringValue ?? "",
                    isApprover: false))
            return [
                // The only one. An editor that speaks no other than a later one says so, and leaves.
                "protocolVersion": 1, "agentCapabilities": Self.capabilities, "authMethods": [Self.login],
                "agentInfo": ["name": "cdev", "title": "Claude Code (cdev)", "version": .string(Version.text)],
            ]
        }
    }

    private static let capabilities: JSON = [
        "loadSession": true,
        "promptCapabilities": ["image": true, "audio": false, "embeddedContext": true],
        "mcpCapabilities": ["http": true, "sse": true],
        "sessionCapabilities": ["close": [:], "delete": [:], "fork": [:], "list": [:], "resume": [:]],
    ]

    private static let login: JSON = [
        "id": "claude-login", "name": "Log in to Claude Code",
        "description": "Run `claude` in a terminal of this machine and type /login; sessions use that login.",
    ]

    private var authenticate: Method {
        Method(
            "authenticate", right: .drive, summary: "Confirms that the person has logged in to Claude Code by itself.",
            parameters: .required("methodId", "\"claude-login\""), result: .anyObject
        ) { _, id async throws(JSONRPCError) in
            guard id == "claude-login" else {
                throw .invalidParams("\"methodId\" must be \"claude-login\", the only way to log in")
            }
            return [:]
        }
    }
}
