import Core
import OrderedJSON
import Wire

extension Method {
    static let permissionPending = Method(
        "permission/pending", right: .read, isSlow: true,
        summary: "The open questions, the one that ends first comes first.",
        parameters: [
            Parameter("offset", ["type": "integer", "minimum": 0], "questions to leave out from the start"),
            Parameter("request_id", textSchema, "only this one; over POST /rpc it is given whole"),
            Parameter("session_id", textSchema, "only those of one session"),
        ],
        result: "requests (as in event/pty_permission), count, more (how many did not fit)",
        handler: pending)

    static let permissionRevoke = Method(
        "permission/revoke", right: .decide, summary: "Takes a rule back.",
        parameters: [Parameter("rule_id", textSchema, "as in permission/rules", isRequired: true)],
        result: "success, rule (what was taken back)",
        handler: revoke)

    static let permissionRules = Method(
        "permission/rules", right: .read, isLarge: true, summary: "The rules in force, the oldest first.",
        parameters: [Parameter("session_id", textSchema, "only those of one session")],
        result: "rules, count, more",
        handler: rules)

    static let permissionStats = Method(
        "permission/stats", right: .read, summary: "How much there is.",
        result: "active_sessions, total_patterns, pending_requests, approvers, agent_refusals, last_agent_refusal, "
            + "denies_ignored, next_sequence (of events/since, to hear only what comes), store_failure"
    ) { call in .object(await call.services.sessions.stats().listing) }

    private static func pending(_ call: Call) async throws(JSONRPCError) -> JSON {
        if let id = try call.arguments.id("request_id") {
            guard let request = await call.services.permissions.request(id: id), request.isOpen else {
                throw .internalError("no open question has the request_id \"\(id.prefix(80))\"")
            }
            let isFramed = call.client.isFramed
            let card =
                isFramed
                ? PermissionCard.params(of: request, limit: FrameCeiling.answer - 64)
                : PermissionCard.whole(of: request)
            return ["requests": [.object(card)], "count": 1, "more": 0]
        }
        let offset = try call.arguments.integer("offset", in: 0...Int.max) ?? 0
        let session = try call.arguments.id("session_id")
        let requests = await call.services.permissions.pending(sessionID: session)
        let cards = requests.dropFirst(offset).lazy.map { PermissionCard.params(of: $0, limit: nil) }
        return .object(Listing(cards, ceiling: FrameCeiling.answer).object("requests"))
    }

    private static func rules(_ call: Call) async throws(JSONRPCError) -> JSON {
        let session = try call.arguments.id("session_id")
        let rules = await call.services.permissions.rules(sessionID: session)
        return .object(Listing(rules.map(\.listing), ceiling: FrameCeiling.answer).object("rules"))
    }

    private static func revoke(_ call: Call) async throws(JSONRPCError) -> JSON {
        let ruleID = try call.arguments.required("rule_id", "as in permission/rules")
        do throws(RevocationFailure) {
            let rule = try await call.services.permissions.revokeRule(id: ruleID)
            return ["success": true, "rule": .object(rule.listing)]
        } catch {
            throw error.rpcError
        }
    }
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
            "request_id": .string(requestID), "last_match": .time(lastMatch),
        ]
    }
}

extension BrokerStats {
    var listing: JSONObject {
        [
            "active_sessions": .count(activeSessions), "total_patterns": .count(rules),
            "pending_requests": .count(pending), "approvers": .count(approvers),
            "agent_refusals": .count(agentRefusals), "last_agent_refusal": lastAgentRefusal?.json ?? .null,
            "denies_ignored": .count(ignoredDenies),
            "next_sequence": .count(nextSequence), "store_failure": .text(storeFailure),
        ]
    }
}

extension AgentRefusal {
    fileprivate var json: JSON {
        ["method": .string(method), "pid": .count(pid), "at": .time(at)]
    }
}
