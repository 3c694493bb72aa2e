import Core
import OrderedJSON
import Services
import Wire

/// The methods that a client calls first: `initialize`, `initialized`, `rpc.discover`.
struct ConnectionMethods: MethodGroup {
    let sessions: any SessionService

    var methods: [Method] { [initialize, initialized, discover] }

    private var initialize: Method {
        Method(
            "initialize", right: nil,
            summary: "Introduces the client. Not required; a client that will not answer requests should say so here.",
            parameters: Self.isApprover, Self.clientInfo, Self.protocolVersion,
            result: .object([
                "protocolVersion": .string, "serverInfo": .object(["name": .string, "version": .string]),
                "capabilities": Self.capabilities.meaning("false: not offered"), "clientId": .string,
            ])
        ) { call, isApprover, info, _ in
            await call.client.introduce(
                ClientIntroduction(name: info.name, version: info.version, isApprover: isApprover))
            let version = await sessions.status().version
            return [
                "protocolVersion": "1.0", "serverInfo": ["name": "cdev", "version": .string(version)],
                "capabilities": Self.capabilitiesOffered(in: call), "clientId": .string(call.client.id),
            ]
        }
    }

    private var initialized: Method {
        Method(
            "initialized", right: nil, summary: "The client is ready; nothing needs to be done.", result: .object([:])
        ) { _ in [:] }
    }

    /// Off the loop: the document is large, and made anew for each call.
    private var discover: Method {
        Method(
            "rpc.discover", right: nil, scheduling: .inOrderOffLoop, summary: "Describes every method and every event.",
            result: .object([
                "openrpc": .string, "info": .anyObject, "methods": .list(.anyObject), "components": .anyObject,
                "x-notifications": .list(.anyObject).meaning(
                    "the events: each `name`, `summary` and the schema of `params`"),
            ]).meaning("an OpenRPC document")
        ) { call in
            let info: JSONObject = [
                "title": "cdev", "version": .string(await sessions.status().version),
                "description": .string(Self.description),
            ]
            return OpenRPC.document(of: call.table, notifications: EventKind.notifications, info: info)
        }
    }

    private static let description =
        "Answers Claude Code's permission requests. Events arrive as notifications named event/<type>. A parameter "
        + "that is null counts as left out; results may get more members."

    // The introduction is only logged, so no member of it is refused unless an object was expected and another type was
    // sent.

    private static var isApprover: Field<Bool> {
        Field(
            "capabilities", .object(["approver": .boolean.optional]),
            "`{\"approver\": false}`: this client only watches"
        ) { arguments throws(JSONRPCError) in
            try arguments.object("capabilities")?["approver"]?.boolValue ?? true
        }
    }

    private struct ClientInfo: Sendable {
        let name: String
        let version: String
    }

    private static var clientInfo: Field<ClientInfo> {
        Field(
            "clientInfo", .object(["name": .string.optional, "version": .string.optional]),
            "`{\"name\": …, \"version\": …}`"
        ) { arguments throws(JSONRPCError) in
            let info = try arguments.object("clientInfo") ?? [:]
            return ClientInfo(name: info["name"]?.stringValue ?? "", version: info["version"]?.stringValue ?? "")
        }
    }

    private static var protocolVersion: Field<JSON?> {
        Field("protocolVersion", .string, "`1.0`; not looked at") { $0.value("protocolVersion") }
    }

    /// True for each method that the daemon has and the caller may call.
    private static func capabilitiesOffered(in call: Call) -> JSON {
        let may = { (names: String...) -> JSON in
            .bool(names.contains { call.table[$0].map { $0.right.map(call.caller.may) ?? true } ?? false })
        }
        return [
            "agent": [
                "run": may("session/start"), "stop": may("session/stop"), "respond": may("session/respond"),
                "sessions": may("workspace/list"), "sessionWatch": may("workspace/session/watch"),
            ],
            "git": .object(
                JSONObject(
                    gitOperations.map { name in (name, may("workspace/git/" + name, "git/" + name)) })),
            "file": ["get": may("workspace/file/get"), "list": may("workspace/files/list")],
            "workspace": [
                "list": may("workspace/list"), "add": may("workspace/add"), "discover": may("workspace/discover"),
                "subscribe": may("workspace/subscribe"),
            ],
            "permission": ["respond": may("permission/respond"), "history": may("permission/history")],
            "events": ["replay": may("events/since")],
            "notifications": .array(EventKind.wireNames.map { .string("event/\($0)") }),
        ]
    }

    private static let gitOperations = [
        "status", "diff", "stage", "unstage", "discard", "commit", "push", "pull", "branches", "checkout",
    ]

    private static let capabilities = Schema.object([
        "agent": .map(of: .boolean), "git": .map(of: .boolean), "file": .map(of: .boolean),
        "workspace": .map(of: .boolean),
        "permission": .object(["respond": .boolean, "history": .boolean]), "events": .object(["replay": .boolean]),
        "notifications": .list(.string),
    ])
}
