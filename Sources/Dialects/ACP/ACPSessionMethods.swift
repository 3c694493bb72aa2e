import Core
import OrderedJSON
import Services
import Wire

/// The methods that open sessions and close them.
struct ACPSessionMethods: MethodGroup {
    let parts: ACPServices.Parts

    private var opening: ACPOpening { ACPOpening(parts: parts) }

    var methods: [Method] { [close, delete, fork, list, load, new, resume] }

    private var new: Method {
        Method(
            "session/new", right: .drive, scheduling: .beside(limit: 8), summary: "Starts a session in a directory.",
            parameters: ACPFields.cwd, ACPServers.field(), result: .anyObject
        ) { call, cwd, servers async throws(JSONRPCError) in
            try ACPServers.require(servers, from: ACPFields.client(of: call).caller)
            let workspace = try await opening.workspace(at: cwd)
            let session = try await opening.started(RunSessionOrder(workspaceID: workspace.id, servers: servers))
            let opened = try await opening.open(session, as: session.agentID, for: call)
            opened.begin()
            return await answer(opened, for: call, isNew: true)
        }
    }

    private var load: Method {
        Method(
            "session/load", right: .drive, scheduling: .beside(limit: 8),
            summary: "Goes on in a session, and sends all its messages before it answers.",
            parameters: ACPFields.cwd, ACPServers.field(), ACPFields.session, result: .anyObject
        ) { call, cwd, servers, id async throws(JSONRPCError) in
            let opened = try await opening.goOn(in: id, cwd, servers, for: call, isWhole: true)
            try await ACPHistory(parts: parts, session: opened).send()
            opened.begin()
            await opening.askAgain(opened)
            return await answer(opened, for: call)
        }
    }

    private var resume: Method {
        Method(
            "session/resume", right: .drive, scheduling: .beside(limit: 8),
            summary: "Goes on in a session, without its messages.", parameters: ACPSeen.field, ACPFields.cwd,
            ACPServers.field(), ACPFields.session, result: .anyObject
        ) { call, seen, cwd, servers, id async throws(JSONRPCError) in
            let opened = try await opening.goOn(in: id, cwd, servers, for: call, isWhole: seen != nil)
            let history = ACPHistory(parts: parts, session: opened)
            if let seen {
                opened.goOn(behind: seen)
                try await history.send(after: seen.message)
            } else {
                try await history.sendPlanAlone()
            }
            opened.begin()
            Task { if await parts.sessions.catchUp(with: opened.runID) { opened.breakOffIfDone() } }
            await opening.askAgain(opened)
            return await answer(opened, for: call)
        }
    }

    private var fork: Method {
        Method(
            "session/fork", right: .drive, scheduling: .beside(limit: 8),
            summary: "Starts a session with the messages of another, which stays as it is.",
            parameters: ACPFields.cwd, ACPServers.field(), ACPFields.session, result: .anyObject
        ) { call, cwd, servers, id async throws(JSONRPCError) in
            try ACPServers.require(servers, from: ACPFields.client(of: call).caller)
            let origin = (try? await parts.sessions.session(id))?.agentID ?? id
            try await opening.requireTranscript(origin)
            let workspace = try await opening.workspace(at: cwd)
            let session = try await opening.started(
                RunSessionOrder(workspaceID: workspace.id, resumed: origin, isFork: true, servers: servers))
            let opened = try await opening.open(session, as: session.agentID, for: call)
            opened.begin()
            return await answer(opened, for: call, isNew: true)
        }
    }

    private var close: Method {
        Method(
            "session/close", right: .drive, scheduling: .beside(limit: 8),
            summary: "Ends what a session works on, and its process. `session/load` goes on in it.",
            parameters: ACPFields.session, result: .anyObject
        ) { call, id async throws(JSONRPCError) in
            let client = try ACPFields.client(of: call)
            guard let session = client.session(id) else { throw ACPFields.unknown(id) }
            try await ACPFields.answering(for: id) { () async throws(RunSessionFailure) in
                try await parts.sessions.stop(session.runID)
            }
            await session.waitForEnd()
            await client.close(id)
            return [:]
        }
    }

    /// The protocol has no error for a session that there is not, or not any more.
    private var delete: Method {
        Method(
            "session/delete", right: .drive, scheduling: .beside(limit: 8),
            summary: "Ends a session's process and takes the session out of all lists. Its transcript stays.",
            parameters: ACPFields.session, result: .anyObject
        ) { call, id async throws(JSONRPCError) in
            try await opening.delete(id, for: ACPFields.client(of: call))
            return [:]
        }
    }

    private var list: Method {
        Method(
            "session/list", right: .drive, scheduling: .beside(limit: 2),
            summary: "Lists sessions, the last active first.",
            parameters: .string("cursor", "where an earlier list ended"),
            .string("cwd", "only those of this directory"),
            result: .anyObject
        ) { call, cursor, cwd async throws(JSONRPCError) in
            _ = try ACPFields.client(of: call)
            return try await ACPList(parts: parts).sessions(in: cwd, from: cursor)
        }
    }
}

extension ACPSessionMethods {
    private func answer(_ session: ACPSession, for call: Call, isNew: Bool = false) async -> JSON {
        let offer = (try? await parts.sessions.offer(of: session.runID)) ?? AgentOffer()
        let told = session.state.withLock { $0.told }
        var members: JSONObject = ["modes": told.modes, "configOptions": told.options(offer)]
        if isNew { members["sessionId"] = .id(session.sessionID) }
        (call.client as? ACPClient)?.afterAnswer {
            Task {
                await session.tellTitle()
                await session.tellCommands()
            }
        }
        return .object(members)
    }
}
