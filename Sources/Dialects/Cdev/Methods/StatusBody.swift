import Core
import OrderedJSON
import Services

// The results of `permission/stats` and `status/get`.

extension Schema {
    static let stats = object([
        "active_sessions": .count, "total_patterns": .count, "pending_requests": .count, "approvers": .count,
        "agent_refusals": .count,
        "last_agent_refusal": object(["method": .string, "pid": .integer, "at": .time]).orNull,
        "denies_ignored": .count,
        "next_sequence": .count.meaning("of events/since, to hear only what comes"), "store_failure": .string.orNull,
    ])

    static let status = object([
        "version": .string, "pid": .integer, "started_at": .time, "uptime_seconds": .count, "home": .string,
        "socket": .string, "socket_restored_at": .time.orNull.meaning("its file had been deleted"),
        "socket_problem": .string.orNull.meaning("and cannot be made anew"), "address": .string.orNull,
        "log": .string, "gate": .gate,
    ]).with(stats).with(
        object([
            "hooks": hooks, "base_url": .string.meaning("where links begin"), "beyond_loopback": .boolean,
            "insecure": .boolean, "public_url": .string.orNull, "tls": tls, "notify": .list(channel),
        ]))

    private static let hooks = object([
        "state": .string, "settings": .string.optional, "problem": .string.optional,
        "problems": .list(object(["problem": .string, "remedy": .string])).optional,
        "uninstalled_by_user": .boolean.optional,
    ])

    private static let tls = object([
        "mode": .choice(["files", "local-ca", "off"]), "names": .list(.string).optional,
        "pin": .string.orNull.optional, "problem": .string.orNull.optional, "valid_until": .time.optional,
    ])

    private static let channel = object([
        "channel": .string, "answers": .boolean.meaning("links in its messages lead to an answer"),
        "obstacle": .string.orNull, "reachable": .boolean, "delivered": .count, "failed": .count,
        "last_delivery": .time.orNull, "failure": .string.orNull, "failed_at": .time.orNull,
    ])
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

extension DaemonStatus {
    var listing: JSONObject {
        var members: JSONObject = [
            "version": .string(version), "pid": .count(pid), "started_at": .time(startedAt.wall),
            "uptime_seconds": .count(uptime), "home": .string(home), "socket": .string(socket),
            "socket_restored_at": .time(socketRestoredAt), "socket_problem": .text(socketProblem),
            "address": .text(address), "log": .string(log), "gate": .string(gate.rawValue),
        ]
        for (key, value) in stats.listing { members[key] = value }
        members["hooks"] = hooks
        for (key, value) in reach { members[key] = value }
        members["notify"] = notify
        return members
    }
}
