import Core
import Dialects
import OrderedJSON
import Services
import Testing

@Suite struct SubscriptionMethodTests {
    private let daemon = FakeDaemon()
    private let viewer = FakeClient(rights: .viewer, as: .device(id: "d_1", name: "tv"))

    init() {
        let views = ["ws-abc123", "ws-def456"].map { id in
            WorkspaceView(
                workspace: Workspace(
                    id: id, name: id, path: "/" + id, origin: .added, createdAt: moment(0), lastActive: moment(0)))
        }
        daemon.workspaces.state.withLock { $0.views = views }
    }

    private func ask(_ method: String, _ params: JSON = [:], _ client: FakeClient? = nil) async throws -> JSON {
        try #require(try await answer(call(method, params), daemon, client ?? viewer))
    }

    @Test func changeWhatTheConnectionGets() async throws {
        let first = try await ask("workspace/subscribe", ["workspace_id": "ws-abc123"])["result"]
        #expect(first == ["success": true, "workspace_id": "ws-abc123", "subscribed": ["ws-abc123"]])
        _ = try await ask("workspace/subscribe", ["id": "ws-def456"])
        let both: JSON = ["workspaces": ["ws-abc123", "ws-def456"], "is_filtering": true, "count": 2]
        #expect(try await ask("workspace/subscriptions")["result"] == both)
        let left = try await ask("workspace/unsubscribe", ["workspace_id": "ws-abc123"])["result"]
        #expect(left == ["success": true, "workspace_id": "ws-abc123", "subscribed": ["ws-def456"]])
        #expect(try await ask("workspace/subscribeAll")["result"] == ["success": true, "is_filtering": false])
        let none: JSON = ["workspaces": [], "is_filtering": false, "count": 0]
        #expect(try await ask("workspace/subscriptions")["result"] == none)
    }

    @Test func anUnknownWorkspaceIsNoSubscription() async throws {
        let error = try await ask("workspace/subscribe", ["workspace_id": "ws-9"])["error"]
        #expect(error?["code"] == -32602 && viewer.subscriptions?.all == [])
        #expect(try await ask("workspace/unsubscribe", ["workspace_id": "ws-9"])["result"] != nil, "it is gone, say")
    }

    static let ofConnections = [
        "client/session/focus", "workspace/subscribe", "workspace/subscribeAll", "workspace/subscriptions",
        "workspace/unsubscribe",
    ]

    @Test(arguments: ofConnections) func singleRequestsHaveNone(_ method: String) async throws {
        let visitor = FakeClient(rights: .viewer, as: .device(id: "d_1", name: "tv"), isFramed: false)
        let params: JSON = ["workspace_id": "ws-abc123", "session_id": "s1"]
        let error = try await ask(method, params, visitor)["error"]
        #expect(error?["code"] == -32600 && error?["message"]?.stringValue?.contains("WebSocket") == true)
    }

    @Test func focus() async throws {
        daemon.viewers.focus("device-uuid-2", on: .init(workspaceID: "ws-abc123", sessionID: "session-456"))
        let params: JSON = ["workspace_id": "ws-abc123", "session_id": "session-456"]
        #expect(
            try await ask("client/session/focus", params)["result"] == [
                "workspace_id": "ws-abc123", "session_id": "session-456", "other_viewers": ["device-uuid-2"],
                "viewer_count": 2, "success": true,
            ])
        #expect(daemon.viewers.viewers(of: "session-456") == ["client-1", "device-uuid-2"])
        #expect(daemon.viewers.names(of: ["client-1"]) == ["client-1": "device tv"], "the caller, as it is known")
        daemon.viewers.focus(
            "other", on: .init(workspaceID: "ws-abc123", sessionID: "session-456", name: "device \u{202E}tv"))
        let named = try await ask("client/session/focus", params)["result"]
        #expect(named?["viewer_names"] == ["other": #"device \u{202E}tv"#])
        daemon.viewers.left("other")
        let none = try await ask("client/session/focus", ["workspace_id": "ws-abc123", "session_id": ""])["result"]
        #expect(none?["viewer_count"] == 0 && daemon.viewers.viewers(of: "session-456") == ["device-uuid-2"])
    }

    @Test(
        arguments: [
            ["workspace_id": "ws-abc123"], ["session_id": "s1"], ["workspace_id": "ws-9", "session_id": "s1"],
            ["workspace_id": "ws-abc123", "session_id": .string(String(repeating: "x", count: 257))],
        ] as [JSON])
    func focusIsChecked(_ params: JSON) async throws {
        #expect(try await ask("client/session/focus", params)["error"]?["code"] == -32602)
    }

    private func sent(_ event: LiveEvent) throws -> JSON { try JSON(parsing: EventEncoder.encode(.live(event))) }

    @Test func eventsOfViewersAreAsTheSpecificationSays() throws {
        let joined = LiveEvent(
            at: moment(0), workspaceID: "ws-abc123", sessionID: "session-456",
            body: .sessionJoined(client: "device-uuid-1", others: ["device-uuid-2"]))
        #expect(
            try sent(joined)["params"] == [
                "joining_client_id": "device-uuid-1", "other_viewers": ["device-uuid-2"], "viewer_count": 2,
                "session_id": "session-456", "workspace_id": "ws-abc123", "timestamp": "2026-11-20T10:30:00Z",
            ])
        let left = LiveEvent(
            at: moment(0), workspaceID: "ws-abc123", sessionID: "session-456",
            body: .sessionLeft(client: "device-uuid-1", remaining: ["device-uuid-3"]))
        let message = try sent(left)
        #expect(message["method"] == "event/session_left")
        #expect(
            message["params"] == [
                "leaving_client_id": "device-uuid-1", "remaining_viewers": ["device-uuid-3"], "viewer_count": 1,
                "session_id": "session-456", "workspace_id": "ws-abc123", "timestamp": "2026-11-20T10:30:00Z",
            ])
        let named = LiveEvent(
            at: moment(0), workspaceID: "ws-abc123", sessionID: "session-456",
            body: .sessionLeft(client: "c", remaining: [], names: ["c": "device tv"]))
        #expect(try sent(named)["params"]?["viewer_names"] == ["c": "device tv"])
        for event in [joined, left, named] {
            let params = try sent(event)["params"] ?? .null
            #expect(SchemaCheck.complaints(about: params, event.body.kind.notification.parameters) == [])
        }
    }

    @Test(arguments: [true, false]) func eventsOfWorkspacesNameThem(_ isAdded: Bool) throws {
        let workspace = Workspace(
            id: "ws-1", name: "p", path: "/p", origin: .seen, createdAt: moment(0), lastActive: moment(0))
        let event = LiveEvent(
            at: moment(0), body: isAdded ? .workspaceAdded(workspace) : .workspaceRemoved(workspace))
        let message = try sent(event)
        #expect(message["method"]?.stringValue == (isAdded ? "event/workspace_added" : "event/workspace_removed"))
        #expect(message["params"]?["id"] == "ws-1" && message["params"]?["path"] == "/p")
        let schema = event.body.kind.notification.parameters
        #expect(SchemaCheck.complaints(about: message["params"] ?? .null, schema) == [])
    }

    @Test func capabilitiesFollowTheTableAndTheRights() async throws {
        let offered = { (rights: Set<Right>) in
            try await ask("initialize", [:], FakeClient(rights: rights))["result"]?["capabilities"]
        }
        let viewing = try await offered(.viewer)
        #expect(viewing?["workspace"] == ["list": true, "add": false, "discover": false, "subscribe": true])
        #expect(viewing?["permission"] == ["respond": false, "history": true])
        #expect(try await offered(.driver)?["workspace"]?["add"] == true)
        #expect(try await offered(.driver)?["agent"]?["sessions"] == true)
        #expect(try await offered([])?["workspace"]?["list"] == false)
    }
}
