import Core
import OrderedJSON
import Services
import Wire

/// The session rules that answers made.
struct RuleMethods: MethodGroup {
    let permissions: any PermissionService

    var methods: [Method] { [revoke, list] }

    private var revoke: Method {
        Method(
            "permission/revoke", right: .decide, summary: "Revokes a rule; no restart brings it back.",
            parameters: .required("rule_id", "as in permission/rules"),
            result: .object(["success": .success, "rule": .rule.meaning("the revoked rule")])
        ) { _, id async throws(JSONRPCError) in
            do throws(RevocationFailure) {
                return ["success": true, "rule": .object(try await permissions.revokeRule(id: id).listing)]
            } catch {
                throw error.rpcError
            }
        }
    }

    private var list: Method {
        Method(
            "permission/rules", right: .read, scheduling: .inOrderOffLoop,
            summary: "The rules in force, the oldest first.",
            parameters: .id("session_id", "only those of one session"),
            result: .listing("rules", of: .rule)
        ) { _, session in
            let rules = await permissions.rules(sessionID: session)
            return .object(Listing(rules.map(\.listing), ceiling: FrameCeiling.answer).object("rules"))
        }
    }
}

extension Schema {
    static let rule = object([
        "id": .string, "session_id": .string, "effect": .choice(["allow", "deny"]), "pattern": .string,
        "created_at": .time, "granted_by": .string, "request_id": .string.meaning("the request whose answer made it"),
        "last_match": .time, "is_used": .boolean.meaning("it has settled a call since it was made"),
        "truncated": .truncated.optional,
    ]).named("Rule")
}

extension RevocationFailure {
    fileprivate var rpcError: JSONRPCError {
        switch self {
        case .unknown(let id):
            .internalError("there is no rule \"\(id.prefix(80))\"; it may have ended with its session")
        case .unwritten(let rule):
            .internalError(
                "the rule \(rule.id) is out of force, but that could not be written down, so a restart of the daemon "
                    + "could bring it back; it is tried again by itself. `cdev status` says why; revoke the rule once more "
                    + "to hear that it is gone for good")
        }
    }
}

extension SessionRule {
    var listing: JSONObject {
        [
            "id": .string(id), "session_id": .id(sessionID), "effect": .string(effect.rawValue),
            "pattern": .string(pattern), "created_at": .time(createdAt), "granted_by": .string(grantedBy),
            "request_id": .string(requestID), "last_match": .time(lastMatch), "is_used": .bool(lastMatch > createdAt),
        ]
    }
}
