import Core
import OrderedJSON
import Platform
import Services
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct WorkspaceManagerTests {
    let clock = ManualClock()
    let store = KeptInMemory()
    private let folders = FakeFolders()
    private let told = Locked<[String]>([])
    private let ended = Locked<[String]>([])
    private let broker: Broker
    private let register: WorkspaceRegister
    let manager: WorkspaceManager

    init() {
        broker = Broker(clock: clock, store: FakeStore())
        register = WorkspaceRegister(KeptWorkspaces(), clock: clock)
        manager = WorkspaceManager(
            register: register,
            parts: WorkspaceManager.Parts(
                broker: broker, clock: clock, directories: folders, history: FakeHistory(), log: NoLog(),
                places: ReservedPlaces(home: "/home/me", own: "/home/me/.cdev"), store: store,
                announce: { [told] event in told.withLock { $0.append(Self.words(event)) } },
                ended: { [ended] id in ended.withLock { $0.append(id) } }))
    }

    private static func words(_ event: LiveEvent) -> String {
        switch event.body {
        case .workspaceAdded(let workspace): "added \(workspace.path)"
        case .workspaceRemoved(let workspace): "removed \(workspace.path)"
        default: "\(event.body.kind)"
        }
    }

    private var events: [String] { told.withLock { $0 } }

    private func add(_ path: String, name: String? = nil) async throws -> Workspace {
        try await manager.add(WorkspaceWish(path: path, name: name)).workspace
    }

    /// A hook of a session, which the broker gets after the register.
    func hook(
        _ session: String, _ cwd: String, _ name: HookEventName = .sessionStart, project: String? = nil,
        isOfThisMachine: Bool = true, isVerified: Bool = true
    ) async {
        let event = AgentEvent(
            name: name, sessionID: session, cwd: cwd, promptID: nil, permissionMode: .default, agentID: nil,
            agentType: nil, tool: nil, details: AgentEvent.Details(), sent: [:])
        var source = HookSource(projectDirectory: project, isVerified: isVerified)
        source.isOfThisMachine = isOfThisMachine
        let call = HookCall(event, from: source)
        register.note(call)
        _ = await broker.hook(call) { _ in }
    }

    /// Waits until the manager has worked off what the register passed on.
    func settle() async {
        register.finish()
        await manager.follow()
    }

    private func record(_ cwd: String, session: String = "s1") -> EventRecord {
        EventRecord(
            sequence: 1, at: clock.now().wall, sessionID: session,
            body: .sessionEnd(sessionID: session, cwd: cwd, reason: ""))
    }

    @Test func anAddedOneIsWrittenThenInForce() async throws {
        let workspace = try await add("/srv/link", name: "app")
        #expect(workspace.path == "/srv/real" && workspace.id.hasPrefix("ws-") && workspace.id.count == 19)
        #expect(store.kept == [workspace] && events == ["added /srv/real"])
        #expect(await manager.workspace(workspace.id) == workspace)
        #expect(await manager.workspace(holding: "/srv/real/src")?.id == workspace.id)
        #expect(register.id(for: record("/srv/real/src")) == workspace.id)
        #expect(register.id(for: record("/srv", session: "s1")) == "")
        #expect(register.id(for: record("/srv/real", session: "")) == "")
        let again = try await add("/srv/real", name: "other")
        #expect(again.id == workspace.id && again.name == "other" && events == ["added /srv/real"])
    }

    /// In force at once, also where it cannot be written.
    @Test func whoWatchesARemovedOneIsEnded() async throws {
        let (first, second) = (try await add("/srv/a"), try await add("/srv/b"))
        #expect(ended.withLock { $0 } == [])
        _ = try await manager.remove(first.id)
        store.isFull = true
        await #expect(throws: WorkspaceFailure.self) { _ = try await manager.remove(second.id) }
        #expect(ended.withLock { $0 } == [first.id, second.id])
    }

    @Test func whatCannotBeWrittenIsNotAdded() async throws {
        store.isFull = true
        await #expect(throws: WorkspaceFailure.store("nothing was changed: Full()")) { try await add("/srv/a") }
        #expect(await manager.workspaces(gitLimit: 0).isEmpty && events == [])
    }

    static let refused: [(String, DirectoryProblem)] = [
        ("/", .aboveHome), ("/home", .aboveHome), ("/home/me/.cdev/x", .own), ("/none", .missing),
    ]

    @Test(arguments: refused) func somePlacesAreRefused(_ path: String, _ problem: DirectoryProblem) async throws {
        await #expect(throws: WorkspaceFailure.directory(problem, path: path)) { try await add(path) }
        #expect(store.kept == [])
    }

    @Test func theHomeDirectoryIsTakenAndSaidSo() async throws {
        #expect(try await manager.add(WorkspaceWish(path: "/home/me")).isHome)
    }

    @Test func aDirectoryIsMadeOnWish() async throws {
        #expect(try await manager.add(WorkspaceWish(path: "/none", createsDirectory: true)).workspace.path == "/none")
    }

    @Test func ofTwoAtATimeOneIsMade() async throws {
        async let one = add("/srv/a", name: "one")
        async let two = add("/srv/a", name: "two")
        let both = try await [one, two]
        #expect(both[0].id == both[1].id && store.kept.count == 1 && events == ["added /srv/a"])
    }

    @Test func aRemovalIsInForceAtOnceAndConfirmedOnceItIsWritten() async throws {
        let workspace = try await add("/srv/a")
        store.isFull = true
        await #expect(throws: WorkspaceFailure.self) { try await manager.remove(workspace.id) }
        #expect(await manager.workspace(workspace.id) == nil && events.last == "removed /srv/a")
        await #expect(throws: WorkspaceFailure.self, "it is still not written") {
            try await manager.remove(workspace.id)
        }
        store.isFull = false
        await manager.lookAround()
        #expect(store.removed == [workspace.id] && store.kept == [])
        let unknown = WorkspaceFailure.refused(.unknown(workspace.id))
        await #expect(throws: unknown) { try await manager.remove(workspace.id) }
    }

    @Test func aSecondCallConfirmsARemoval() async throws {
        let workspace = try await add("/srv/a")
        store.isFull = true
        _ = try? await manager.remove(workspace.id)
        store.isFull = false
        #expect(try await manager.remove(workspace.id) == workspace && store.removed == [workspace.id])
    }

    @Test func aRemovedOneIsNeverTheSameAgain() async throws {
        let first = try await add("/srv/a")
        _ = try await manager.remove(first.id)
        #expect(try await add("/srv/a").id != first.id)
    }

    @Test func aSessionMakesAWorkspaceOfItsProject() async throws {
        await hook("s1", "/srv/a/sub", project: "/srv/a")
        await hook("s2", "/srv/link")
        await hook("s2", "/srv/link/deeper")
        await settle()
        let views = await manager.workspaces(gitLimit: 0)
        #expect(views.map(\.workspace.path) == ["/srv/a", "/srv/real"])
        #expect(views.allSatisfy { $0.workspace.origin == .seen } && store.kept.count == 2)
        #expect(views.map { $0.running.map(\.id) } == [["s1"], ["s2"]] && views[0].activeSession == "s1")
        #expect(register.id(for: record("/srv/a/x")) == views[0].workspace.id)
        #expect(register.id(for: record("/srv/link", session: "s2")) == views[1].workspace.id, "as it is spelled")
        #expect(register.id(for: record("/tmp", session: "s1")) == views[0].workspace.id, "that of its root")
    }

    /// A device may send hooks of sessions elsewhere, and a process without a token hooks of any.
    @Test func onlyAVerifiedSessionOfThisMachineMakesOne() async throws {
        await hook("s1", "/srv/a", isOfThisMachine: false)
        await hook("s2", "/srv/b", isVerified: false)
        await hook("s3", "/home/me")
        await hook("s4", "/home/me/.cdev")
        await hook("s5", "/")
        await hook("s6", "relative")
        await hook("s7", "/none")
        await settle()
        #expect(await manager.workspaces(gitLimit: 0).isEmpty && store.kept == [])
    }

    @Test func aSessionThatRanAtARemovalMakesNoneAgain() async throws {
        let workspace = try await add("/srv/a")
        await hook("s1", "/srv/a")
        clock.jump(by: 5)
        _ = try await manager.remove(workspace.id)
        clock.jump(by: 5)
        await hook("s1", "/srv/a")
        await hook("s1", "/srv/a/sub", .sessionEnd)
        await hook("s2", "/srv/b")
        await settle()
        #expect(await manager.workspaces(gitLimit: 0).map(\.workspace.path) == ["/srv/b"])
    }

    /// Its hook comes after its end, so that the broker knows it no more.
    @Test func aSessionThatEndsMakesNone() async throws {
        await hook("s1", "/home/me")
        let workspace = try await add("/srv/a")
        await hook("s1", "/srv/a")
        clock.jump(by: 5)
        _ = try await manager.remove(workspace.id)
        clock.jump(by: 5)
        await hook("s1", "/srv/a")
        await hook("s1", "/srv/a", .sessionEnd)
        await settle()
        #expect(await manager.workspaces(gitLimit: 0).isEmpty)
    }

    @Test func anotherSessionDoes() async throws {
        let workspace = try await add("/srv/a")
        _ = try await manager.remove(workspace.id)
        clock.jump(by: 5)
        await hook("s2", "/srv/a")
        await settle()
        let views = await manager.workspaces(gitLimit: 0)
        #expect(views.map(\.workspace.origin) == [.seen] && views.first?.workspace.id != workspace.id)
    }

    @Test func aSeenOneBecomesAdded() async throws {
        await hook("s1", "/srv/a")
        await settle()
        let seen = try #require(await manager.workspaces(gitLimit: 0).first?.workspace)
        let added = try await add("/srv/a", name: "mine")
        #expect(added.id == seen.id && added.origin == .added && events == ["added /srv/a", "added /srv/a"])
    }

    @Test func aSeenOneEndsOnceNoSessionIsLeft() async throws {
        await hook("s1", "/srv/a")
        await settle()
        clock.jump(by: 31 * 86_400)
        await manager.lookAround()
        #expect(store.kept.count == 1, "its session has not ended")
        // Forgets the session, which has no process.
        await broker.timePassed()
        await manager.lookAround()
        #expect(store.kept == [] && events == ["added /srv/a", "removed /srv/a"] && store.removed == [])
    }

    @Test func activityIsWrittenAtAStop() async throws {
        let workspace = try await add("/srv/a")
        clock.jump(by: 30)
        await hook("s1", "/srv/a/b")
        await manager.lookAround()
        #expect(store.kept.first?.lastActive == workspace.lastActive)
        await manager.writeActivity(all: true)
        #expect(store.kept.first?.lastActive == clock.now().wall)
    }

    @Test func aViewHasWhatRunsAndWhatRan() async throws {
        let workspace = try await add("/srv/a")
        await hook("s1", "/srv/a")
        clock.jump(by: 1)
        await hook("s2", "/srv/a/b")
        let status = try await manager.status(of: workspace.id)
        #expect(status.view.running.map(\.id) == ["s2", "s1"])
        #expect(status.view.historical.map(\.id) == ["old"], "a running one is no historical one")
        #expect(status.view.activeSession == "s2" && status.watchedSession == "s1")
        #expect(status.git.state == .unavailable)
        await #expect(throws: WorkspaceFailure.refused(.unknown("ws-x"))) { try await manager.view(of: "ws-x") }
    }

    @Test func updatesAreWritten() async throws {
        let workspace = try await add("/srv/a")
        _ = try await manager.update(workspace.id, name: "x", isStartedWithDaemon: true)
        #expect(store.kept.first?.name == "x" && store.kept.first?.isStartedWithDaemon == true)
        await #expect(throws: WorkspaceFailure.refused(.name)) {
            try await manager.update(workspace.id, name: "", isStartedWithDaemon: nil)
        }
    }

    @Test func findsRepositoriesAndKnowsItsOwn() async throws {
        let workspace = try await add("/srv/a")
        let found = try await manager.discover(below: ["/srv/link"])
        #expect(found.found.paths == ["/srv/a", "/srv/real"] && found.workspaces == ["/srv/a": workspace.id])
        _ = try await manager.discover(below: [])
        #expect(folders.searched == [["/srv/real"], ["/home/me"]])
        await #expect(throws: WorkspaceFailure.directory(.missing, path: "/none")) {
            try await manager.discover(below: ["/srv/a", "/none"])
        }
    }

    @Test func aDiskThatHangsEndsTheWait() async throws {
        folders.hang()
        defer { folders.goOn() }
        async let result = Result { try await add("/srv/a") }
        while !clock.isSet(in: 3) { try await letOthersRun() }
        clock.advance(by: 3)
        let failure = await result
        #expect(throws: WorkspaceFailure.slow(path: "/srv/a", seconds: 3)) { try failure.get() }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
