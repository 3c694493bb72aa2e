import Core
import OrderedJSON
import Wire

extension Method {
    static let initialize = Method(
        "initialize", right: nil,
        summary: "Introduces the client. Not required; a client that will not answer questions should say so here.",
        parameters: [
            Parameter("capabilities", objectSchema, #"`{"approver": false}`: this client only watches"#),
            Parameter("clientInfo", objectSchema, #"`{"name": …, "version": …}`"#),
            Parameter("protocolVersion", textSchema, "`1.0`"),
        ],
        result: "protocolVersion, serverInfo, capabilities (false: not offered), clientId",
        handler: initialize)

    static let initialized = Method(
        "initialized", right: nil, summary: "The client is ready; nothing needs to be done.", result: "Empty."
    ) { _ in [:] }

    static let rpcDiscover = Method(
        "rpc.discover", right: nil, summary: "Describes every method.", result: "An OpenRPC document."
    ) { call in OpenRPC.document(of: call.table, version: await call.services.sessions.status().version) }

    private static func initialize(_ call: Call) async throws(JSONRPCError) -> JSON {
        let info = try call.arguments.object("clientInfo") ?? [:]
        let capabilities = try call.arguments.object("capabilities") ?? [:]
        await call.client.introduce(
            ClientIntroduction(
                name: info["name"]?.stringValue ?? "", version: info["version"]?.stringValue ?? "",
                isApprover: capabilities["approver"]?.boolValue ?? true))
        let version = await call.services.sessions.status().version
        return [
            "protocolVersion": "1.0", "serverInfo": ["name": "cdev", "version": .string(version)],
            "capabilities": capabilitiesOffered(to: call.caller), "clientId": .string(call.client.id),
        ]
    }

    private static func capabilitiesOffered(to caller: Caller) -> JSON {
        let off: JSON = false
        return [
            "agent": ["run": off, "stop": off, "respond": off, "sessions": off, "sessionWatch": off],
            "git": ["status": off, "diff": off, "stage": off, "commit": off, "push": off, "pull": off],
            "file": ["get": off, "list": off],
            "permission": ["respond": .bool(caller.may(.decide)), "history": .bool(caller.may(.read))],
            "events": ["replay": .bool(caller.may(.read))],
            "notifications": .array(EventBody.wireNames.map { .string("event/\($0)") }),
        ]
    }
}

/// JSON Schemas of parameters.
let objectSchema: JSON = ["type": "object"]
let textSchema: JSON = ["type": "string"]
let timeSchema: JSON = ["type": "string", "format": "date-time"]

func enumSchema(_ values: [String]) -> JSON {
    ["type": "string", "enum": .array(values.map(JSON.string))]
}
