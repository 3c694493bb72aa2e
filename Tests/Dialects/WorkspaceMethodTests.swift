import Core
import OrderedJSON
import Services
import Testing

/// The examples of the specification, request in and the same form out.
@Suite struct WorkspaceMethodTests {
    private let daemon = FakeDaemon()
    private let driver = FakeClient(rights: .driver, as: .device(id: "d_1", name: "phone"))

    init() {
        var view = WorkspaceView(
            workspace: Workspace(
                id: "ws-abc123", name: "my-project", path: "/Users/dev/my-project", origin: .added,
                createdAt: moment(0), lastActive: moment(2100)))
        view.running = [RunningSession(id: "sess-xyz789", startedAt: moment(1800), lastActive: moment(2100))]
        view.historical = [
            HistoricalSession(
                id: "a1b2c3d4-e5f6-7890-abcd-ef1234567890", summary: "Refactored authentication module", messages: 42,
                lastUpdated: moment(-60))
        ]
        view.activeSession = "sess-xyz789"
        let kept = view
        daemon.workspaces.state.withLock { $0.views = [kept] }
    }

    private func ask(_ method: String, _ params: JSON = [:], _ client: FakeClient? = nil) async throws -> JSON {
        try #require(try await answer(call(method, params), daemon, client ?? driver))
    }

    private var asked: [String] { daemon.workspaces.state.withLock { $0.asked } }

    private let running: JSON = [
        "id": "sess-xyz789", "workspace_id": "ws-abc123", "status": "running", "started_at": "2026-11-20T11:00:00Z",
        "last_active": "2026-11-20T11:05:00Z", "viewers": ["client-id-1", "client-id-2"],
    ]

    private let historical: JSON = [
        "id": "a1b2c3d4-e5f6-7890-abcd-ef1234567890", "workspace_id": "ws-abc123", "status": "historical",
        "summary": "Refactored authentication module", "message_count": 42, "last_updated": "2026-11-20T10:29:00Z",
        "viewers": [],
    ]

    private func look() {
        for client in ["client-id-2", "client-id-1"] {
            daemon.viewers.focus(client, on: .init(workspaceID: "ws-abc123", sessionID: "sess-xyz789"))
        }
    }

    @Test func list() async throws {
        look()
        let result = try await ask("workspace/list")["result"]
        #expect(result?["count"] == 1 && result?["more"] == 0)
        #expect(
            result?["workspaces"]?.arrayValue == [
                [
                    "id": "ws-abc123", "name": "my-project", "path": "/Users/dev/my-project", "auto_start": false,
                    "created_at": "2026-11-20T10:30:00Z", "origin": "added", "last_active": "2026-11-20T11:05:00Z",
                    "sessions": .array([running, historical]), "active_session_count": 1, "has_active_session": true,
                    "active_session_id": "sess-xyz789",
                ]
            ])
    }

    @Test func listWithGit() async throws {
        let result = try await ask("workspace/list", ["include_git": true])["result"]
        let git = result?["workspaces"]?.arrayValue?.first?["git"]
        #expect(
            git == [
                "state": "healthy", "branch": "main", "repo_name": "my-project", "is_git_repo": true, "last_error": "",
            ])
        let none = try await ask("workspace/list", ["include_git": true, "git_limit": 0])["result"]
        #expect(none?["workspaces"]?.arrayValue?.first?["git"] == nil)
    }

    static let spellings: [JSON] = [
        ["id": "ws-abc123"], ["workspace_id": "ws-abc123"], ["id": "ws-abc123", "workspace_id": "ws-abc123"],
    ]

    @Test(arguments: spellings) func getTakesBothSpellings(_ params: JSON) async throws {
        #expect(try await ask("workspace/get", params)["result"]?["name"] == "my-project")
    }

    @Test(
        arguments: [
            ([:], "\"workspace_id\" is required"), (["id": ""], "is required"), (["id": 7], "\"id\" must be a string"),
            (["id": "a", "workspace_id": "b"], "name two"),
            (["id": "ws-9\u{202e}"], "there is no workspace \"ws-9"),
        ] as [(JSON, String)])
    func getSaysWhatIsWrong(_ params: JSON, _ words: String) async throws {
        let error = try await ask("workspace/get", params)["error"]
        let message = error?["message"]?.stringValue ?? ""
        #expect(message.contains(words), "\(message.debugDescription)")
        #expect(error?["code"] == -32602)
    }

    @Test func status() async throws {
        look()
        daemon.workspaces.state.withLock { $0.watched = "a1b2c3d4-e5f6-7890-abcd-ef1234567890" }
        let result = try await ask("workspace/status", ["workspace_id": "ws-abc123"])["result"]
        #expect(
            result == [
                "workspace_id": "ws-abc123", "workspace_name": "my-project", "path": "/Users/dev/my-project",
                "auto_start": false, "created_at": "2026-11-20T10:30:00Z", "sessions": .array([running]),
                "active_session_count": 1, "has_active_session": true, "git_tracker_state": "healthy",
                "git_repo_name": "my-project", "is_git_repo": true, "git_last_error": "", "is_being_watched": true,
                "watched_session_id": "a1b2c3d4-e5f6-7890-abcd-ef1234567890",
            ])
    }

    @Test func add() async throws {
        let params: JSON = ["name": "my-project", "path": "/Users/dev/my-project", "auto_start": false]
        let result = try await ask("workspace/add", params)["result"]
        #expect(result?["id"] == "ws-new" && result?["sessions"] == [] && result?["active_session_id"] == .null)
        _ = try await ask("workspace/add", ["path": "/q", "auto_start": true, "create_if_missing": true])
        #expect(asked == ["add /Users/dev/my-project my-project false false", "add /q - true true"])
        let home = try await ask("workspace/add", ["path": .string("/" + String(repeating: "x", count: 4096))])
        #expect(home["error"]?["code"] == -32602)
    }

    @Test func saysThatItIsTheHomeDirectory() async throws {
        daemon.workspaces.state.withLock { $0.views[0].isHome = true }
        let note = try await ask("workspace/get", ["id": "ws-abc123"])["result"]?["note"]?.stringValue
        #expect(note?.contains("home directory") == true)
    }

    @Test func updateAndRemove() async throws {
        _ = try await ask("workspace/update", ["id": "ws-abc123", "name": "other"])
        _ = try await ask("workspace/update", ["workspace_id": "ws-abc123", "auto_start": true])
        let result = try await ask("workspace/remove", ["id": "ws-abc123"])["result"]
        #expect(
            result == [
                "success": true, "workspace_id": "ws-abc123", "name": "my-project", "path": "/Users/dev/my-project",
            ])
        #expect(asked == ["update ws-abc123 other -", "update ws-abc123 - true", "remove ws-abc123"])
    }

    @Test func discover() async throws {
        var found = FoundRepositories()
        found.paths = ["/p/a", "/p/b"]
        found.isComplete = false
        let kept = found
        daemon.workspaces.state.withLock {
            $0.discovery = Discovery(found: kept, workspaces: ["/p/b": "ws-abc123"], milliseconds: 7)
        }
        let result = try await ask("workspace/discover", ["paths": ["/p"]])["result"]
        #expect(
            result?["repositories"]?.arrayValue == [
                ["name": "a", "path": "/p/a", "is_configured": false, "workspace_id": .null],
                ["name": "b", "path": "/p/b", "is_configured": true, "workspace_id": "ws-abc123"],
            ])
        #expect(result?["is_complete"] == false && result?["elapsed_ms"] == 7)
        let many = JSON.array(Array(repeating: "/p", count: 33))
        #expect(try await ask("workspace/discover", ["paths": many])["error"]?["code"] == -32602)
        #expect(asked == [#"discover ["/p"]"#])
    }

    static let changes = ["workspace/add", "workspace/discover", "workspace/remove", "workspace/update"]

    @Test(arguments: changes) func onlyADriverChanges(_ method: String) async throws {
        let params: JSON =
            method == "workspace/add"
            ? ["path": "/q"] : method == "workspace/discover" ? [:] : ["workspace_id": "ws-abc123"]
        let callers = [
            FakeClient(rights: .viewer, as: .device(id: "d_1", name: "tv")),
            FakeClient(rights: .approver, as: .device(id: "d_1", name: "phone")), FakeClient(rights: .agent),
        ]
        for caller in callers {
            let error = try await ask(method, params, caller)["error"]
            #expect(error?["code"] == -32600 && error?["data"]?["refused"] == "drive")
        }
        #expect(asked == [])
        #expect(try await ask(method, params)["result"] != nil)
    }

    static let failures: [(WorkspaceFailure, Int, String)] = [
        (.busy, -32603, "wait"), (.directory(.aboveHome, path: "/"), -32602, "whole machine"),
        (.directory(.missing, path: "/a\u{202e}"), -32602, "no directory /a\\u{202E}"),
        (.directory(.missingParent, path: "/a/b"), -32602, "missing too"),
        (.directory(.notDirectory, path: "/a"), -32602, "is no directory"),
        (.directory(.notText, path: "/a"), -32602, "UTF-8"), (.directory(.own, path: "/a"), -32602, "cdev itself"),
        (.directory(.spelling, path: "a"), -32602, "absolute"),
        (.directory(.unreadable("Permission denied"), path: "/a"), -32602, "Permission denied"),
        (.refused(.full(limit: 500)), -32603, "500"), (.refused(.name), -32602, "64 visible"),
        (.refused(.unknown("x")), -32602, "\"x\""), (.slow(path: "/a", seconds: 3), -32603, "3 s"),
        (.store("full disk"), -32603, "full disk"),
    ]

    @Test(arguments: failures) func saysWhyNot(_ failure: WorkspaceFailure, _ code: Int, _ words: String) async throws {
        daemon.workspaces.state.withLock { $0.failure = failure }
        let error = try await ask("workspace/add", ["path": "/q"])["error"]
        #expect(error?["code"]?.intValue == code && error?["message"]?.stringValue?.contains(words) == true)
    }
}
