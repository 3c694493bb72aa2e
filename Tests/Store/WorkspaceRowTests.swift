import Core
import Store
import Testing

struct WorkspaceRowTests {
    private static func workspace(
        _ id: String, _ path: String = "/p", name: String = "p", _ origin: Workspace.Origin = .added
    ) -> Workspace {
        Workspace(
            id: id, name: name, description: "of \(name)", path: path, isStartedWithDaemon: id == "ws-1",
            origin: origin,
            createdAt: Timestamp(milliseconds: 1000), lastActive: Timestamp(milliseconds: 2000))
    }

    private static func removal(_ id: String, at milliseconds: Int64 = 9000) -> WorkspaceRemoval {
        WorkspaceRemoval(workspace: workspace(id), at: Timestamp(milliseconds: milliseconds))
    }

    /// Each call was confirmed before the files were copied.
    @Test func whatWasConfirmedIsThereAfterAKill() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.keep([Self.workspace("ws-1"), Self.workspace("ws-2", "/q", .seen)], forgetting: [])
        let kept = try await directory.snapshot().open().store.workspaces()
        #expect(kept.kept == [Self.workspace("ws-1"), Self.workspace("ws-2", "/q", .seen)] && kept.removed == [])
        try await store.keep([Self.workspace("ws-1", name: "other")], forgetting: ["ws-2"])
        let later = try await directory.snapshot().open().store.workspaces()
        #expect(later.kept == [Self.workspace("ws-1", name: "other")])
    }

    @Test func aRemovalStays() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.keep([Self.workspace("ws-1")], forgetting: [])
        try await store.remove(Self.removal("ws-1"))
        try await store.remove(Self.removal("ws-1", at: 10_000))
        try await store.keep([Self.workspace("ws-1", name: "late")], forgetting: [])
        let kept = try await directory.snapshot().open().store.workspaces()
        #expect(kept.kept == [] && kept.removed.map(\.at) == [Timestamp(milliseconds: 9000)])
    }

    @Test func aRemovalOfWhatIsMissingStaysToo() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.remove(Self.removal("ws-1"))
        #expect(try await store.workspaces().removed.map(\.workspace.path) == ["/p"])
    }

    /// A removal that could not be written at first, while the directory became a workspace again.
    @Test func aLateRemovalLeavesTheNextOneAlone() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.keep([Self.workspace("ws-1")], forgetting: [])
        try await store.keep([Self.workspace("ws-2")], forgetting: [])
        try await store.remove(Self.removal("ws-1"))
        let kept = try await store.workspaces()
        #expect(kept.kept == [Self.workspace("ws-2")] && kept.removed.map(\.workspace.id) == ["ws-1"])
    }

    @Test func aDirectoryHasOneWorkspace() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.keep([Self.workspace("ws-1")], forgetting: [])
        try await store.remove(Self.removal("ws-1"))
        try await store.keep([Self.workspace("ws-2")], forgetting: [])
        try await store.keep([Self.workspace("ws-3")], forgetting: [])
        let kept = try await store.workspaces()
        #expect(kept.kept.map(\.id) == ["ws-3"] && kept.removed.map(\.workspace.id) == ["ws-1"])
    }

    @Test func outlivesADamagedDatabase() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.keep([Self.workspace("ws-1"), Self.workspace("ws-2", "/q")], forgetting: [])
        try await store.remove(Self.removal("ws-1"))
        try directory.overwrite(Array(repeating: 0xff, count: 4096), at: 0)
        try await store.keep([Self.workspace("ws-3", "/r")], forgetting: [])
        #expect(try await directory.open().store.workspaces().kept.map(\.id) == ["ws-2", "ws-3"])
    }

    @Test func surplusRemovalsGo() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: 20_000)
        try await store.keep([Self.workspace("ws-kept")], forgetting: [])
        for number in 0..<1003 {
            try await store.remove(Self.removal("ws-\(number)", at: Int64(9000 + number)))
        }
        try await store.sweep(Retention())
        let rows = try await store.workspaces()
        #expect(rows.kept.map(\.id) == ["ws-kept"] && rows.removed.count == 1000)
        #expect(rows.removed.map(\.at.milliseconds).min() == 9003)
    }

    @Test func oldRemovalsGo() async throws {
        let directory = try StoreDirectory()
        let month: Int64 = 30 * 86_400_000
        let (store, _) = try await directory.open(now: month + 9500)
        try await store.remove(Self.removal("ws-1"))
        try await store.remove(
            WorkspaceRemoval(workspace: Self.workspace("ws-2", "/q"), at: Timestamp(milliseconds: 9600)))
        try await store.sweep(Retention())
        #expect(try await store.workspaces().removed.map(\.workspace.id) == ["ws-2"])
    }
}
