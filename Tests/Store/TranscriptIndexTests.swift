import Agents
import Core
import Store
import TestSupport
import Testing

/// The index of transcripts, on real files and a real database.
@Suite struct TranscriptIndexTests {
    private let directory: TemporaryDirectory
    private let index: TranscriptStore

    init() throws {
        directory = try TemporaryDirectory()
        _ = shell("mkdir -p '\(directory.path)/projects/-p/s1/subagents' '\(directory.path)/projects/-q'")
        index = Self.open(directory)
    }

    private static func open(_ directory: TemporaryDirectory) -> TranscriptStore {
        TranscriptStore(path: directory("transcripts.db"), source: ClaudeTranscripts(directory: directory.path))
    }

    /// A line of session `s1`, so many seconds after the full hour.
    private func line(
        _ uuid: String, _ text: String, at seconds: Int = 0, type: String = "user", cwd: String = "/w",
        more: String = ""
    ) -> String {
        let time = "2026-11-25T03:\(10 + seconds / 60):\(10 + seconds % 60 % 50)Z"
        return #"{"type":"\#(type)","uuid":"\#(uuid)","timestamp":"\#(time)","cwd":"\#(cwd)","gitBranch":"main","#
            + #""sessionId":"s1",\#(more)"message":{"role":"\#(type)","content":"\#(text)"}}"# + "\n"
    }

    private func write(_ text: String, _ name: String = "-p/s1") throws {
        try directory.write(text, to: "projects/\(name).jsonl")
    }

    private func append(_ text: String, _ name: String = "-p/s1") throws {
        try write((directory.read("projects/\(name).jsonl") ?? "") + text, name)
    }

    private func texts(_ query: TranscriptPageQuery) async throws -> [String] {
        try await index.page(query)?.messages.map { $0.message["content"]?.stringValue ?? "?" } ?? ["none"]
    }

    private func all(_ session: String = "s1") async throws -> [String] {
        try await index.refresh(session: session)
        return try await texts(TranscriptPageQuery(sessionID: session, limit: 500))
    }

    @Test func pagesInBothOrders() async throws {
        try write((1...10).map { line("u\($0)", "t\($0)") }.joined())
        try await index.refresh()
        func page(_ limit: Int, _ offset: Int64, _ order: TranscriptPageQuery.Order) async throws -> [String] {
            try await texts(TranscriptPageQuery(sessionID: "s1", limit: limit, offset: offset, order: order))
        }
        #expect(try await page(3, 0, .ascending) == ["t1", "t2", "t3"])
        #expect(try await page(3, 8, .ascending) == ["t9", "t10"])
        #expect(try await page(3, 0, .descending) == ["t10", "t9", "t8"])
        #expect(try await page(3, 9, .descending) == ["t1"])
        #expect(try await page(3, 10, .ascending) == [])
        #expect(try await page(3, 10, .descending) == [])
        #expect(try await texts(TranscriptPageQuery(sessionID: "s9")) == ["none"])
    }

    @Test func whatIsAddedIsTakenIn() async throws {
        try write(line("1", "one"))
        #expect(try await all() == ["one"])
        let half = line("2", "two")
        try append(String(half.dropLast(10)))
        #expect(try await all() == ["one"])
        try write(line("1", "one") + half + line("3", "three"))
        #expect(try await all() == ["one", "two", "three"])
        #expect(try await index.messages(of: "s1", agent: nil, after: 1, limit: 10).map(\.number) == [2, 3])
    }

    @Test func aShorterOrReplacedFileIsTakenInAnew() async throws {
        try write(line("1", "one") + line("2", "two"))
        #expect(try await all() == ["one", "two"])
        try write(line("3", "x"))
        #expect(try await all() == ["x"])
        // Longer than before, and another file by its bytes alone.
        try write(line("4", "other words of another file") + line("5", "y"))
        #expect(try await all() == ["other words of another file", "y"])
        // Another inode, with the same first line.
        _ = shell("cd '\(directory.path)/projects/-p' && cp s1.jsonl new && mv new s1.jsonl")
        try append(line("6", "z"))
        #expect(try await all() == ["other words of another file", "y", "z"])
        #expect(try await index.search("two", in: nil, limit: 10).hits.isEmpty)
    }

    @Test func aDeletedFileIsForgotten() async throws {
        try write(line("1", "needle"))
        try write(line("1", "other"), "-q/s2")
        try await index.refresh()
        #expect(try await index.sessions(in: nil, limit: 10, offset: 0).total == 2)
        _ = shell("rm '\(directory.path)/projects/-p/s1.jsonl'")
        try await index.refresh()
        #expect(try await index.sessions(in: nil, limit: 10, offset: 0).sessions.map(\.sessionID) == ["s2"])
        #expect(try await texts(TranscriptPageQuery(sessionID: "s1")) == ["none"])
        #expect(try await index.search("needle", in: nil, limit: 10).hits.isEmpty)
    }

    @Test func aMessageAppearsOnce() async throws {
        try write(line("1", "one") + line("2", "two") + line("1", "one") + line("3", "three"))
        #expect(try await all() == ["one", "two", "three"])
        #expect(try await index.session("s1")?.session.facts.messages == 3)
    }

    @Test func sessionsOfADirectory() async throws {
        try write(line("1", "first", at: 1, cwd: "/w"))
        try write(line("2", "second", at: 2, cwd: "/w/sub"), "-p/s2")
        try write(line("3", "third", at: 3, cwd: "/w2"), "-p/s3")
        try write(#"{"type":"mode","mode":"normal","sessionId":"s4"}"# + "\n", "-p/s4")
        try await index.refresh()
        func ids(_ directory: String?, _ limit: Int = 10, _ offset: Int = 0) async throws -> [String] {
            try await index.sessions(in: directory, limit: limit, offset: offset).sessions.map(\.sessionID)
        }
        #expect(try await ids("/w") == ["s2", "s1"])
        #expect(try await ids(nil) == ["s3", "s2", "s1"])
        #expect(try await ids(nil, 1, 1) == ["s2"])
        #expect(try await ids("/") == ["s3", "s2", "s1"])
        #expect(try await ids("/other") == [])
    }

    @Test func factsOfASession() async throws {
        let title = #"{"type":"ai-title","aiTitle":"A fine title","sessionId":"s1"}"# + "\n"
        let cost = #"{"type":"cost-state","sessionId":"s1","totalCostUSD":0.5}"# + "\n"
        try write(line("1", "please do", at: 1) + line("2", "done", at: 2, type: "assistant") + cost)
        try await index.refresh()
        let facts = try #require(try await index.session("s1")).session.facts
        #expect(facts.title == "please do" && facts.messages == 2 && facts.branch == "main" && facts.cwd == "/w")
        #expect(facts.cost == 500_000)
        #expect(facts.firstTime?.rfc3339 == "2026-11-25T03:10:11Z" && facts.lastTime?.rfc3339 == "2026-11-25T03:10:12Z")
        try append(title)
        try await index.refresh(session: "s1")
        #expect(try await index.session("s1")?.session.facts.title == "A fine title")
    }

    @Test func forksAndClearedSessionsAreLinked() async throws {
        let cleared =
            #"{"type":"queue-operation","operation":"enqueue","timestamp":"2026-11-25T03:10:30Z","content":"/clear"}"#
            + "\n"
        try write(line("1", "one") + line("2", "two") + cleared)
        try write(line("1", "one", more: #""requestSessionId":"s1","#) + line("9", "fork", at: 5), "-p/s2")
        _ = shell("sed -i 's/\"sessionId\":\"s1\"/\"sessionId\":\"s2\"/' '\(directory.path)/projects/-p/s2.jsonl'")
        try write(line("c", "<command-name>/clear</command-name>", at: 21), "-p/s3")
        try await index.refresh()
        func links(_ session: String) async throws -> [String] {
            let links = try await index.page(TranscriptPageQuery(sessionID: session))?.links ?? []
            return links.map { "\($0.kind.rawValue) \($0.sessionID)" }
        }
        #expect(try await links("s1") == ["forked_to s2", "cleared_to s3"])
        #expect(try await links("s2") == ["fork_of s1"])
        #expect(try await links("s3") == ["clear_of s1"])
    }

    /// As Claude Code 2.1.329 writes it down where a person typed the command: the cleared session's own transcript says
    /// nothing, and the record of typed lines names it.
    @Test func aSessionThatAPersonClearedIsLinked() async throws {
        func typed(_ text: String, _ session: String, _ milliseconds: Int) -> String {
            #"{"display":"\#(text)","pastedContents":{},"timestamp":\#(milliseconds),"project":"/w","sessionId":"\#(session)"}"#
                + "\n"
        }
        func links(_ session: String) async throws -> [String] {
            try await index.refresh(session: session)
            let links = try await index.page(TranscriptPageQuery(sessionID: session))?.links ?? []
            return links.map { "\($0.kind.rawValue) \($0.sessionID)" }
        }
        let start = 1_795_576_231_000
        try write(line("1", "one"))
        try write(line("c", "<command-name>/clear</command-name>", at: 21), "-p/s2")
        let before = typed("go", "s1", start - 9000) + typed("say /clear", "s9", start) + typed("/clearly", "s9", start)
        try directory.write(before, to: "history.jsonl")
        #expect(try await links("s2") == [])
        #expect(try await links("s1") == [])
        let half = typed("/clear", "s1", start - 60)
        try directory.write(before + half.dropLast(9), to: "history.jsonl")
        #expect(try await links("s2") == [])
        try directory.write(before + half + typed("go on", "s2", start + 900), to: "history.jsonl")
        #expect(try await links("s2") == ["clear_of s1"])
        #expect(try await links("s1") == ["cleared_to s2"])
        // A record that was replaced is read from its beginning.
        _ = shell("cd '\(directory.path)' && cp history.jsonl new && mv new history.jsonl")
        try write(line("d", "<command-name>/clear</command-name>", at: 40), "-p/s3")
        try directory.write(typed("/new now", "s2", start + 19_000), to: "history.jsonl")
        #expect(try await links("s3") == ["clear_of s2"])
        #expect(try await links("s2") == ["clear_of s1", "cleared_to s3"])
    }

    /// Whoever looks at the session after it need not have looked at the one before.
    @Test func aClearedSessionIsTakenInWithTheOneAfterIt() async throws {
        try write(line("1", "one"))
        try write(line("c", "<command-name>/clear</command-name>", at: 21), "-p/s2")
        try directory.write(
            #"{"display":"/clear","timestamp":1795576231000,"project":"/w","sessionId":"s1"}"# + "\n",
            to: "history.jsonl")
        try await index.refresh(session: "s2")
        let page = try await index.page(TranscriptPageQuery(sessionID: "s2"))
        #expect(page?.links == [TranscriptPage.Link(kind: .clearOf, sessionID: "s1")])
    }

    @Test func subagentsAreListedAndRead() async throws {
        try write(line("1", "one"))
        try write(line("a", "sub", more: #""agentId":"x","isSidechain":true,"#), "-p/s1/subagents/agent-x")
        try directory.write(
            #"{"agentType":"Explore","description":"look","toolUseId":"toolu_1"}"#,
            to: "projects/-p/s1/subagents/agent-x.meta.json")
        try await index.refresh(session: "s1")
        let page = try #require(try await index.page(TranscriptPageQuery(sessionID: "s1")))
        #expect(page.total == 1)
        let note = SubagentNote(toolUseID: "toolu_1", type: "Explore", summary: "look")
        #expect(page.subagents == [TranscriptPage.Subagent(agentID: "x", note: note, messages: 1)])
        #expect(try await texts(TranscriptPageQuery(sessionID: "s1", agentID: "x")) == ["sub"])
    }

    /// The agent may write the first lines of a subagent before it says which call started it.
    @Test func aSubagentIsDescribedLater() async throws {
        try write(line("1", "one"))
        try write(line("a", "sub"), "-p/s1/subagents/agent-x")
        try await index.refresh(session: "s1")
        #expect(try await index.subagents(of: "s1").map(\.note) == [nil])
        try directory.write(
            #"{"agentType":"Explore","description":"look","toolUseId":"toolu_1"}"#,
            to: "projects/-p/s1/subagents/agent-x.meta.json")
        try await index.refresh(session: "s1")
        #expect(try await index.subagents(of: "s1").map(\.note?.toolUseID) == ["toolu_1"])
        #expect(try await index.messages(of: "s1", agent: "x", after: 0, limit: 9).map(\.uuid) == ["a"])
    }

    @Test func wordsAreFound() async throws {
        try write(line("1", "the Quick brown_fox", at: 1) + line("2", "quick and slow; über", at: 2))
        try write(
            line("1", "the Quick brown_fox", at: 1, cwd: "/q") + line("3", "quick elsewhere", at: 3, cwd: "/q"), "-q/s2"
        )
        try await index.refresh()
        func found(_ words: String, _ directory: String? = nil) async throws -> [String] {
            try await index.search(words, in: directory, limit: 10).hits.map(\.uuid)
        }
        // The newest first, and a message that two files have once.
        #expect(try await found("quick") == ["3", "2", "1"])
        #expect(try await found("QUICK brown") == ["1"])
        #expect(try await found("brown_fox") == ["1"])
        #expect(try await found("fox_brown") == [])
        #expect(try await found("qui") == ["3", "2", "1"])
        #expect(try await found("über") == ["2"])
        #expect(try await found("quick", "/w") == ["2", "1"])
        #expect(try await found("absent") == [])
        #expect(try await found("\"*") == [])
        #expect(try await found("quick AND") == ["2"])
        let hit = try #require(try await index.search("brown", in: nil, limit: 1).hits.first)
        #expect(hit.snippet == "the Quick brown_fox")
    }

    @Test func aCallIsFoundByItsID() async throws {
        let use =
            #"{"type":"assistant","uuid":"c","message":{"content":[{"type":"tool_use","id":"toolu_01AB","name":"T","input":{}}]}}"#
            + "\n"
        try write(line("1", "one") + line("2", "two") + use + line("4", "four"))
        try await index.refresh()
        var query = TranscriptPageQuery(sessionID: "s1", limit: 1)
        query.toolUseID = "toolu_01AB"
        #expect(try await index.page(query)?.messages.map(\.number) == [3])
        query.toolUseID = "toolu_02"
        #expect(try await index.page(query)?.messages.isEmpty == true)
    }

    @Test func anIndexIsKeptAndADamagedOneMadeAnew() async throws {
        try write(line("1", "one"))
        try await index.refresh()
        await index.close()
        let second = Self.open(directory)
        #expect(try await second.session("s1")?.session.facts.messages == 1)
        await second.close()
        try directory.write(String(repeating: "damage ", count: 5000), to: "transcripts.db")
        let third = Self.open(directory)
        try await third.refresh()
        #expect(try await third.page(TranscriptPageQuery(sessionID: "s1"))?.total == 1)
        await third.close()
        await #expect(throws: StoreError.self) { try await third.refresh() }
    }

    @Test func manyAskAtOnce() async throws {
        try write((1...2000).map { line("u\($0)", "text number \($0)") }.joined())
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask { [index] in
                    try await index.refresh(session: "s1")
                    try await index.refresh()
                    return Int(try await index.page(TranscriptPageQuery(sessionID: "s1"))?.total ?? 0)
                }
            }
            for try await total in group { #expect(total == 2000) }
        }
    }
}
