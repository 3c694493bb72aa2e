import Core
import OrderedJSON
import Services
import Wire

/// Changes of one session.
struct SessionMethods: MethodGroup {
    let permissions: any PermissionService

    var methods: [Method] { [gate] }

    private var gate: Method {
        Method(
            "session/gate", right: .decide,
            summary: "Sets for one session which calls are asked, until it ends; confirmed once it is written.",
            parameters: .choice(
                "gate", of: Policy.Gate.allCases, "as in `config.json`; null for the configuration's"),
            .requiredID("session_id", "as in hook/sessions"),
            result: .object(["success": .success, "gate": .gate.meaning("in force"), "gate_own": .boolean])
        ) { _, gate, session async throws(JSONRPCError) in
            do throws(GateFailure) {
                let inForce = try await permissions.setGate(gate, sessionID: session)
                return ["success": true, "gate": .string(inForce.rawValue), "gate_own": .bool(gate != nil)]
            } catch {
                throw error.rpcError
            }
        }
    }
}

extension Schema {
    static let gate = choice(Policy.Gate.allCases.map(\.rawValue))
}

extension GateFailure {
    fileprivate var rpcError: JSONRPCError {
        switch self {
        case .unknown(let id): .internalError("no open session has the session_id \"\(id.prefix(80))\"")
        case .unwritten:
            .internalError(
                "the gate could not be written down, so it is as it was; `cdev status` says why. Try again once that works"
            )
        }
    }
}
