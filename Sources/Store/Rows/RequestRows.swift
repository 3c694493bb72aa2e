import Core
import OrderedJSON

/// Requests: one row each, rewritten with every change.
extension Database {
    func write(_ request: PermissionRequest) throws(StoreError) {
        let input = request.input.text
        // An input that was not read at the start stays unchanged in the row.
        let isHere = request.input.bytesElsewhere == nil
        try run(
            isHere ? Self.upsertRequest + Self.upsertInput : Self.upsertRequest,
            [
                .text(request.id), SQLValue(request.createdAt), .text(request.sessionID),
                SQLValue(request.resolution?.at), SQLValue(request.resolution?.decision.rawValue),
                SQLValue(request.opening), .text(request.toolUseID), .text(request.event.spelling),
                .text(request.toolName), .text(request.cwd), SQLValue(request.promptID),
                .text(request.permissionMode.spelling), SQLValue(request.agentID), SQLValue(request.agentType),
                SQLValue(request.patterns), SQLValue(request.denyPatterns), SQLValue(request.deadline),
                SQLValue(request.isTerminalPrompt), SQLValue(request.isUnverified), SQLValue(request.isAttended),
                SQLValue(request.relayToken), .blob(request.bodyDigest), SQLValue(input.utf8.count), .text(input),
                SQLValue(request.due),
            ])
        guard let resolution = request.resolution else { return }
        try write(resolution, of: try number(of: request.id), opening: request.opening)
    }

    /// A separate query, because `RETURNING` makes SQLite fill a temporary table, a fifth of the cost of recording a
    /// call.
    private func number(of id: String) throws(StoreError) -> Int64 {
        let numbers = try query("SELECT number FROM requests WHERE \(Self.isRow)", [.text(id)]) { $0.integer() }
        guard let number = numbers.first else { throw StoreError(.other, "the row of \(id) has no number") }
        return number
    }

    /// `+id` keeps the index in use: with `id = ?1` SQLite replaces `id` in `substr` by the value and no longer sees
    /// the indexed expression.
    private static let isRow = "substr(id, -10) = substr(?1, -10) AND +id = ?1"

    /// Open requests, and ended ones that a person or a relay may still ask about; oldest first.
    func liveRequests(_ ended: RememberedEnds) throws(StoreError) -> [PermissionRequest] {
        var (open, over) = (StartBudget.open, StartBudget.ended)
        var requests = try requests("ended_at IS NULL ORDER BY number DESC", within: &open)
        requests += try asked(since: ended.asked, limit: ended.askedLimit, within: &over)
        requests += try settled(limit: ended.settledLimit, within: &over)
        // Indices are sorted instead of requests, which are large to move and to copy.
        let keys = requests.map { ($0.createdAt, $0.id) }
        return requests.indices.sorted { keys[$0] < keys[$1] }.map { requests[$0] }
    }

    /// The requests that people were asked and that ended at `time` or later, newest first. A request whose deadline is
    /// the time of the call was settled at once.
    private func asked(
        since time: Timestamp, limit: Int, within budget: inout StartBudget
    ) throws(StoreError) -> [PermissionRequest] {
        try requests(
            "ended_at >= ? AND deadline <> created_at ORDER BY ended_at DESC LIMIT ?",
            [SQLValue(time), SQLValue(limit)], within: &budget)
    }

    /// The requests among the last `limit` recorded ones that were settled at once. Chosen by number, not by time,
    /// since clocks are set and machines sleep.
    private func settled(limit: Int, within budget: inout StartBudget) throws(StoreError) -> [PermissionRequest] {
        try requests(
            """
            number > (SELECT max(number) FROM requests) - ? AND ended_at IS NOT NULL AND deadline = created_at
            """, [SQLValue(limit)], within: &budget)
    }

    /// Reads inputs and the changed inputs of answers as far as the budget goes. Where it does not, the row's request says
    /// that the value is stored elsewhere.
    private func requests(
        _ condition: String, _ values: [SQLValue] = [], within budget: inout StartBudget
    ) throws(StoreError) -> [PermissionRequest] {
        try query(
            """
            SELECT \(Self.requestColumns), \(Self.endingColumns), \(Self.hasUpdate) FROM requests
            LEFT JOIN resolutions ON request = number AND resolutions.opening = requests.opening AND revision = (
                SELECT max(revision) FROM resolutions AS later
                WHERE later.request = number AND later.opening = requests.opening)
            WHERE \(condition)
            """, values
        ) { row throws(StoreError) in
            var stored = try StoredRequest(&row, tools)
            if budget.takesInput(bytes: stored.inputBytes) { stored.request.input = try input(of: stored.number) }
            var last = try row.optional { row throws(StoreError) in try Ending(&row) { _ in KeptJSON(elsewhere: 0) } }
            if last?.resolution.update != nil, budget.hasUpdates {
                let update = try update(of: stored.number, opening: stored.request.opening)
                budget.takeUpdate(bytes: update?.size ?? 0)
                last?.resolution.update = update
            }
            return try stored.request(endingIn: last?.resolution)
        }
    }

    private func input(of number: Int64) throws(StoreError) -> KeptJSON {
        let found = try query("SELECT tool_input FROM requests WHERE number = ?", [.integer(number)]) { row in
            KeptJSON(written: row.text())
        }
        guard let input = found.first else { throw StoreError(.corrupt, "the input of row \(number) is missing") }
        return input
    }

    /// The changed input of the last resolution of the request's present opening.
    func update(of id: String) throws(StoreError) -> KeptJSON? {
        let found = try query("SELECT number, opening FROM requests WHERE \(Self.isRow)", [.text(id)]) { row in
            (number: row.integer(), opening: Int(row.integer()))
        }
        return try found.first.flatMap { row throws(StoreError) in try update(of: row.number, opening: row.opening) }
    }

    private func update(of number: Int64, opening: Int) throws(StoreError) -> KeptJSON? {
        try query(
            "SELECT updated_input FROM resolutions WHERE request = ? AND opening = ? ORDER BY revision DESC LIMIT 1",
            [.integer(number), SQLValue(opening)]
        ) { row throws(StoreError) in try row.optional { KeptJSON(written: $0.text()) } }.first ?? nil
    }

    func entry(number: Int64) throws(StoreError) -> HistoryEntry? {
        try query(
            "SELECT \(Self.requestColumns), tool_input FROM requests WHERE number = ?", [.integer(number)]
        ) { row throws(StoreError) in
            var stored = try StoredRequest(&row, tools)
            stored.request.input = KeptJSON(written: row.text())
            return stored
        }.first.map(entry)
    }

    private func entry(_ stored: StoredRequest) throws(StoreError) -> HistoryEntry {
        try stored.entry(try endings(of: stored.number))
    }

    private static let requestColumns = """
        number, id, created_at, session_id, ended_at, requests.opening, tool_use_id, event, tool_name, cwd, prompt_id,
        permission_mode, agent_id, agent_type, patterns, deny_patterns, deadline, is_terminal_prompt, is_unverified,
        is_attended, relay_token, body_digest, due, input_bytes
        """

    /// Not NULL where the resolution has a changed input, told without reading that.
    private static let hasUpdate = "CASE WHEN typeof(updated_input) <> 'null' THEN 1 END"

    private static let upsertRequest = """
        INSERT INTO requests (
            id, created_at, session_id, ended_at, decision, opening, tool_use_id, event, tool_name, cwd, prompt_id,
            permission_mode, agent_id, agent_type, patterns, deny_patterns, deadline, is_terminal_prompt,
            is_unverified, is_attended, relay_token, body_digest, input_bytes, tool_input, due)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (substr(id, -10), id) DO UPDATE SET
            ended_at = excluded.ended_at, decision = excluded.decision, opening = excluded.opening,
            tool_use_id = excluded.tool_use_id, event = excluded.event, patterns = excluded.patterns,
            deny_patterns = excluded.deny_patterns, deadline = excluded.deadline,
            is_terminal_prompt = excluded.is_terminal_prompt, relay_token = excluded.relay_token,
            body_digest = excluded.body_digest, due = excluded.due
        """

    private static let upsertInput = ", input_bytes = excluded.input_bytes, tool_input = excluded.tool_input"
}

/// A row of `requests` without its input; its resolution is a row of `resolutions`.
private struct StoredRequest {
    let number: Int64
    let endedAt: Timestamp?
    let inputBytes: Int
    var request: PermissionRequest

    init(_ row: inout Row, _ tools: any ToolCatalog) throws(StoreError) {
        number = row.integer()
        let id = row.text()
        let createdAt = row.time()
        let sessionID = row.text()
        endedAt = try row.optional { $0.time() }
        let opening = Int(row.integer())
        let toolUseID = row.text()
        let event = HookEventName(row.text())
        let toolName = row.text()
        let cwd = row.text()
        let promptID = try row.optional { $0.text() }
        let permissionMode = PermissionMode(row.text())
        let agentID = try row.optional { $0.text() }
        let agentType = try row.optional { $0.text() }
        let patterns = try row.strings()
        let denyPatterns = try row.strings()
        let deadline = row.time()
        let isTerminalPrompt = row.bool()
        let isUnverified = row.bool()
        let isAttended = row.bool()
        let relayToken = try row.optional { $0.text() }
        let bodyDigest = row.blob()
        let due = try row.optional { Uptime(milliseconds: $0.integer()) }
        inputBytes = Int(row.integer())
        request = PermissionRequest(
            id: id, toolUseID: toolUseID, sessionID: sessionID, event: event,
            tool: tools.tool(named: toolName, of: Agent(sessionID: sessionID)),
            input: KeptJSON(elsewhere: inputBytes), cwd: cwd, promptID: promptID, permissionMode: permissionMode,
            agentID: agentID,
            agentType: agentType, patterns: patterns, denyPatterns: denyPatterns, createdAt: createdAt,
            deadline: deadline, due: due, isTerminalPrompt: isTerminalPrompt, isUnverified: isUnverified,
            isAttended: isAttended, opening: opening, relayToken: relayToken, bodyDigest: bodyDigest)
    }

    func entry(_ endings: [Ending]) throws(StoreError) -> HistoryEntry {
        let last = endings.last { $0.opening == request.opening }
        let cursor = HistoryCursor(createdAt: request.createdAt, number: number)
        return HistoryEntry(request: try request(endingIn: last?.resolution), endings: endings, cursor: cursor)
    }

    /// - Parameter resolution: The last resolution of the present opening.
    func request(endingIn resolution: Resolution?) throws(StoreError) -> PermissionRequest {
        guard endedAt != nil else { return request }
        guard let resolution else { throw StoreError(.corrupt, "the end of \(request.id) is missing") }
        var request = request
        request.resolution = resolution
        return request
    }
}

/// Selects the ended requests that a start reads.
struct RememberedEnds {
    /// Requests that people were asked are read if they ended at this time or later: an answer may still come.
    let asked: Timestamp
    /// The most of them that are read, the newest.
    let askedLimit: Int
    /// Requests that were settled at once are read if they are among so many that were recorded last. Only a relay
    /// whose daemon died before it had sent the answer asks for them again.
    let settledLimit: Int
}
