import Core
import TestSupport
import Testing

@Suite struct WorkspaceBookTests {
    private func at(_ seconds: Double) -> Timestamp { Timestamp(milliseconds: 1_795_170_600_000) + seconds }

    private func workspace(
        _ id: String, _ path: String, _ origin: Workspace.Origin = .added, active seconds: Double = 0
    ) -> Workspace {
        Workspace(
            id: id, name: WorkspaceName.ofDirectory(path), path: path, origin: origin, createdAt: at(0),
            lastActive: at(seconds))
    }

    static let places: [(String, String?)] = [
        ("/p", "ws-p"), ("/p/", "ws-p"), ("/p/src/a", "ws-p"), ("/p/sub", "ws-sub"), ("/p/sub/x/y", "ws-sub"),
        ("/p/subway", "ws-p"), ("/pp", nil), ("/", nil), ("", nil), ("p/src", nil), ("/p/../etc", nil),
        ("/p/sub/../src", nil), ("/p/a..b", "ws-p"), ("/\u{e9}/x", "ws-composed"), ("/e\u{301}/x", "ws-decomposed"),
    ]

    @Test(arguments: places) func theDeepestDirectoryHoldsAPath(_ path: String, _ id: String?) {
        let book = WorkspaceBook([
            workspace("ws-p", "/p"), workspace("ws-sub", "/p/sub"), workspace("ws-composed", "/\u{e9}"),
            workspace("ws-decomposed", "/e\u{301}"),
        ])
        #expect(book.holding(path)?.id == id)
    }

    /// An agent may say that it runs in a directory of any depth; every event would look each part of it up.
    @Test func noSessionMakesAWorkspaceOfADeepDirectory() throws {
        let book = WorkspaceBook([workspace("ws-1", "/p")])
        func seeing(parts: Int) throws -> WorkspaceChange? {
            try book.seeing("/q" + String(repeating: "/a", count: parts - 1), startedAt: at(0), id: "ws-2", at: at(1))
        }
        #expect(try seeing(parts: 64) != nil && seeing(parts: 65) == nil)
        let deep = "/p" + String(repeating: "/a", count: 1900)
        #expect(book.holding(deep)?.id == "ws-1")
        #expect(book.holding(deep + "/../x") == nil && book.holding("/q" + deep) == nil)
        // A path of a thousand times the bytes is read in about 500 times the time; looked up part by part, in 100,000 times.
        let one = ProcessorTime.of { for _ in 0..<100 { _ = book.holding("/p/a") } }
        #expect(ProcessorTime.of { for _ in 0..<100 { _ = book.holding(deep) } } < 4000 * one)
    }

    @Test func onePathIsOneWorkspace() {
        let book = WorkspaceBook([workspace("ws-1", "/p"), workspace("ws-2", "/p")])
        #expect(book.list.map(\.id) == ["ws-1"])
    }

    @Test func isInForceOnceItIsPut() throws {
        var book = WorkspaceBook()
        let change = try book.adding("/home/me/app", name: nil, isStartedWithDaemon: true, id: "ws-1", at: at(5))
        #expect(book.list == [])
        book.put(change.workspace)
        let added = try #require(book["ws-1"])
        #expect(added.name == "app" && added.isStartedWithDaemon && added.origin == .added && added.createdAt == at(5))
        #expect(book.at("/home/me/app") == added)
    }

    @Test func addingAgainRenames() throws {
        var book = WorkspaceBook([workspace("ws-1", "/p", .seen)])
        let change = try book.adding("/p", name: "mine", isStartedWithDaemon: false, id: "ws-2", at: at(5))
        book.put(change.workspace)
        #expect(book.list.map(\.id) == ["ws-1"] && book["ws-1"]?.name == "mine" && book["ws-1"]?.origin == .added)
        #expect(book["ws-1"]?.createdAt == at(0))
    }

    @Test(arguments: ["", " x", "x ", "a\nb", "a\u{202e}b", String(repeating: "x", count: 65)])
    func refusesAName(_ name: String) {
        let book = WorkspaceBook([workspace("ws-1", "/p")])
        #expect(throws: WorkspaceRefusal.name) {
            try book.adding("/q", name: name, isStartedWithDaemon: false, id: "ws-2", at: at(0))
        }
        #expect(throws: WorkspaceRefusal.name) {
            try book.updating("ws-1", name: name, isStartedWithDaemon: nil)
        }
    }

    static let names = [
        ("/a/b c", "b c"), ("/a/b\u{202e}c", "bc"), ("/", "workspace"), ("/\u{200b}", "workspace"),
        ("/" + String(repeating: "y", count: 100), String(repeating: "y", count: 64)),
    ]

    @Test(arguments: names) func aDirectoryGivesAUsableName(_ path: String, _ name: String) {
        #expect(WorkspaceName.ofDirectory(path) == name && WorkspaceName.isUsable(name))
    }

    @Test func updatesWhatIsSaid() throws {
        let book = WorkspaceBook([workspace("ws-1", "/p")])
        #expect(try book.updating("ws-1", name: "x", isStartedWithDaemon: nil).workspace.name == "x")
        #expect(try book.updating("ws-1", name: nil, isStartedWithDaemon: true).workspace.name == "p")
        #expect(throws: WorkspaceRefusal.unknown("ws-9")) {
            try book.updating("ws-9", name: nil, isStartedWithDaemon: nil)
        }
    }

    @Test func aSessionMakesOne() throws {
        var book = WorkspaceBook([workspace("ws-1", "/p")])
        #expect(try book.seeing("/p/sub", startedAt: at(0), id: "ws-2", at: at(1)) == nil, "it lies in one")
        let seen = try #require(try book.seeing("/q", startedAt: at(0), id: "ws-2", at: at(1)))
        #expect(seen.workspace.origin == .seen && seen.workspace.lastActive == at(1))
        book.put(seen.workspace)
        #expect(try book.seeing("/q", startedAt: at(0), id: "ws-3", at: at(2)) == nil)
    }

    @Test func aRemovedOneStaysAwayUntilASessionStartsLater() throws {
        var book = WorkspaceBook([workspace("ws-1", "/p", .seen)])
        let removed = book.remove("ws-1", at: at(10))
        let again = book.remove("ws-1", at: at(11))
        #expect(book.list == [] && book.holding("/p") == nil && again == nil)
        let removal = try #require(removed)
        for book in [book, WorkspaceBook(removals: [removal])] {
            #expect(try book.seeing("/p", startedAt: at(10), id: "ws-2", at: at(20)) == nil)
            #expect(try book.seeing("/p/sub", startedAt: at(3), id: "ws-2", at: at(20)) == nil)
            #expect(try book.seeing("/p", startedAt: at(10.5), id: "ws-2", at: at(20))?.workspace.id == "ws-2")
            #expect(try book.seeing("/q", startedAt: at(3), id: "ws-2", at: at(20)) != nil)
            let added = try book.adding("/p", name: nil, isStartedWithDaemon: false, id: "ws-2", at: at(20))
            #expect(added.workspace.id == "ws-2", "a person may always")
        }
    }

    @Test func fullOfAddedOnesRefuses() throws {
        let kept = (0..<WorkspaceBook.limit).map { workspace("ws-\($0)", "/p\($0)") }
        let book = WorkspaceBook(kept)
        let full = WorkspaceRefusal.full(limit: WorkspaceBook.limit)
        #expect(throws: full) { try book.adding("/q", name: nil, isStartedWithDaemon: false, id: "ws-x", at: at(0)) }
        #expect(throws: full) { try book.seeing("/q", startedAt: at(0), id: "ws-x", at: at(0)) }
        #expect(try book.adding("/p7", name: "seven", isStartedWithDaemon: false, id: "", at: at(0)).displaced == nil)
    }

    @Test func aSeenOneGivesWay() throws {
        var kept = (0..<WorkspaceBook.limit).map { workspace("ws-\($0)", "/p\($0)") }
        kept[3] = workspace("ws-3", "/p3", .seen, active: 50)
        kept[5] = workspace("ws-5", "/p5", .seen, active: 40)
        let change = try WorkspaceBook(kept).seeing("/q", startedAt: at(0), id: "ws-x", at: at(60))
        #expect(change?.displaced?.id == "ws-5")
    }

    @Test func endsAfterThirtyDaysWithoutASession() {
        let day: Double = 86_400
        var book = WorkspaceBook([
            workspace("ws-1", "/a", .added), workspace("ws-2", "/b", .seen),
            workspace("ws-3", "/c", .seen, active: day), workspace("ws-4", "/d", .seen),
        ])
        #expect(book.ended(at: at(30 * day - 1), occupied: []).isEmpty)
        #expect(book.ended(at: at(30 * day), occupied: ["ws-4"]).map(\.id) == ["ws-2"])
        book.touch("ws-2", at: at(29 * day))
        #expect(book.ended(at: at(30 * day), occupied: ["ws-4"]).isEmpty)
    }

    @Test func activityIsWrittenInSteps() {
        var book = WorkspaceBook([workspace("ws-1", "/a"), workspace("ws-2", "/b")])
        book.touch("ws-1", at: at(599))
        book.touch("ws-2", at: at(-5))
        #expect(book.takeActive(all: false).isEmpty)
        book.touch("ws-1", at: at(600))
        #expect(book.takeActive(all: false).map(\.lastActive) == [at(600)])
        #expect(book.takeActive(all: true).isEmpty)
        book.touch("ws-2", at: at(1))
        #expect(book.takeActive(all: true).map(\.id) == ["ws-2"])
    }

    @Test func aChangeKeepsActivityThatCameMeanwhile() throws {
        var book = WorkspaceBook([workspace("ws-1", "/a")])
        let change = try book.updating("ws-1", name: "x", isStartedWithDaemon: nil)
        book.touch("ws-1", at: at(9))
        book.put(change.workspace)
        #expect(book["ws-1"]?.name == "x" && book["ws-1"]?.lastActive == at(9))
    }

    @Test func remembersABoundedNumberOfRemovals() throws {
        let removals = (0...1000).map {
            WorkspaceRemoval(workspace: workspace("ws-\($0)", "/p\($0)"), at: at(Double($0)))
        }
        let book = WorkspaceBook(removals: removals)
        #expect(try book.seeing("/p1000", startedAt: at(0), id: "x", at: at(2000)) == nil)
        #expect(try book.seeing("/p0", startedAt: at(0), id: "x", at: at(2000)) != nil)
    }

    static let reserved: [(String, DirectoryProblem?, Bool)] = [
        ("/", .aboveHome, false), ("/home", .aboveHome, false), ("/home/me", nil, false), ("/home/me/app", nil, true),
        ("/home/you", nil, true), ("/home/me/.cdev", .own, false), ("/home/me/.cdev/x", .own, false),
        ("/home/me/.cdevx", nil, true), ("/srv", nil, true),
    ]

    @Test(arguments: reserved) func somePlacesAreReserved(_ path: String, _ problem: DirectoryProblem?, _ isSeen: Bool)
    {
        let places = ReservedPlaces(home: "/home/me", own: "/home/me/.cdev")
        #expect(places.problem(with: path) == problem && places.isSeen(path) == isSeen)
    }

    @Test func onlyDriversDrive() {
        #expect(AccessLevel.allCases.filter { $0.rights.contains(.drive) } == [.drive])
        #expect(!Set<Right>.agent.contains(.drive) && Set<Right>.owner.contains(.drive))
        for level in AccessLevel.allCases { #expect(AccessLevel(level.rights) == level) }
    }
}
