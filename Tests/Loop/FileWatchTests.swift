import Foundation
import Loop
import Platform
import TestSupport
import Testing

/// Real files, and a clock in the test's hands.
@Suite("Watched files", .timeLimit(.minutes(1)))
struct FileWatchTests {
    /// A watcher of `a/b/f` and of a mark, which every change is followed by: both are told by one call.
    private final class Stage: Sendable {
        let loop: EventLoop
        let home: PrivateHome
        let watcher: FileWatcher
        private let pauses = Events<@Sendable () -> Void>()
        private let marks = Events<Void>()
        let told = Locked<[FileWatchError?]>([])

        init(prepared: String = ":", limit: Int = 1000) async throws {
            (loop, home) = (try EventLoop(), try PrivateHome())
            let pauses = pauses
            watcher = FileWatcher(on: loop, delay: .seconds(7), limit: limit) { delay, body in
                #expect(delay == .seconds(7))
                pauses.add(body)
            }
            run(prepared)
        }

        func run(_ script: String) { _ = shell("cd \(home.path) && { \(script); } 2>&1") }

        func watch(_ scope: FileWatch.Scope, _ name: String = "a/b/f") async throws -> FileWatch {
            let begun = Events<Void>()
            let watch = watcher.watch(home.file(name), scope) { [loop, told] problem in
                #expect(loop.isCurrent)
                told.withLock { $0.append(problem) }
                begun.add(())
            }
            try await begun.next()
            told.withLock { $0 = [] }
            return watch
        }

        /// After the watches whose calls are counted: handlers are called in the order of their paths.
        func watchMark() async throws {
            watcher.watch(home.file("mark"), .place) { [marks] _ in marks.add(()) }
            try await marks.next()
        }

        /// How often the path was told of the changes.
        func count(_ script: String) async throws -> Int {
            told.withLock { $0 = [] }
            run("\(script); touch new; mv new mark")
            try await settle()
            return told.withLock { $0.count }
        }

        /// Lets the delay pass, and waits for the mark.
        func settle() async throws {
            try await pauses.next()()
            try await marks.next()
        }

        /// What `/proc` says of the descriptors of inotify in this process that watch the test's directory.
        var queues: [(descriptor: String, facts: String)] {
            get throws {
                let facts = try FileManager.default.attributesOfItem(atPath: home.path)
                let inode = String(try #require(facts[.systemFileNumber] as? Int), radix: 16)
                return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo").compactMap { name in
                    let facts = try? String(contentsOfFile: "/proc/self/fdinfo/\(name)", encoding: .utf8)
                    return facts?.contains(" ino:\(inode) ") == true ? (name, facts ?? "") : nil
                }
            }
        }

        func end() async {
            watcher.close()
            await loop.stop()
        }
    }

    private static let file = "mkdir -p a/b; echo 1 > a/b/f"
    private static let linked = "mkdir -p a real other; echo 1 > real/f; echo 1 > other/f; ln -s ../real a/b"

    /// What was there, what happened, and whether `a/b/f` is told.
    private static let places: [(String, String, Bool)] = [
        (":", "mkdir -p a/b; touch a/b/f", true),
        ("mkdir a", "mkdir a/b", true),
        ("mkdir -p a/b", "echo 1 > a/b/f", true),
        ("mkdir -p a/b", "mkdir a/b/f", true),
        ("touch a", "rm a; mkdir -p a/b; touch a/b/f", true),
        (file, "rm a/b/f", true),
        (file, "rm a/b/f; echo 1 > a/b/f", true),
        (file, "echo 2 > a/b/g; mv a/b/g a/b/f", true),
        (file, "mv a/b/f a/b/g", true),
        (file, "rm -r a/b; mkdir a/b; echo 1 > a/b/f", true),
        (file, "rm -r a; mkdir -p a/b", true),
        (file, "mv a z", true),
        (file, "mv a z; mkdir -p a/b", true),
        (linked, "rm real/f", true),
        (linked, "ln -sfn ../other a/b", true),
        (linked, "mv real z", true),
        ("mkdir -p a/b real; ln -s $PWD/a/../real/f a/b/f", "echo 1 > real/f", true),
        ("ln -s ./a a", "rm a; mkdir -p a/b; touch a/b/f", true),
        (file, "echo 2 >> a/b/f", false),
        (file, "touch a/b/g a/g g; mv g h", false),
        (linked, "rm -r other", false),
    ]

    private static let contents: [(String, String, Bool)] = [
        (file, "echo 2 >> a/b/f", true),
        (file, ": > a/b/f", true),
        (file, "chmod 600 a/b/f", true),
        (file, "rm a/b/f", true),
        (file, "echo 2 > a/b/g; mv a/b/g a/b/f", true),
        (file, "ln a/b/f z; rm a/b/f; mv z a/b/f; echo 2 >> a/b/f", true),
        (linked, "echo 2 >> real/f", true),
        ("mkdir -p a/b/f", "touch a/b/f/x", true),
        ("mkdir -p a/b/f; touch a/b/f/x", "rm a/b/f/x", true),
        ("mkdir -p a/b/f; touch a/b/f/x", "mv a/b/f/x a/b/f/y", true),
        (file, "cat a/b/f; echo 2 > a/b/g", false),
        (linked, "echo 2 >> other/f", false),
        ("mkdir -p a/b/f/d", "touch a/b/f/d/x; rm a/b/f/d/x", false),
        ("mkdir -p a/b/f; touch a/b/f/x", "echo 1 > a/b/f/x", false),
    ]

    private static let writes: [(String, String, Bool)] = [
        (file, "echo 2 >> a/b/f", true),
        ("mkdir -p a/b/f; touch a/b/f/x", "echo 1 > a/b/f/x", true),
        ("mkdir -p a/b/f; touch a/b/f/x", "mv a/b/f/x a/b/f/y", true),
        ("mkdir -p a/b/f/d; touch a/b/f/d/x a/b/x", "echo 1 > a/b/f/d/x; echo 1 > a/b/x", false),
    ]

    /// A change is told once, however many steps it took, and so is each later one: the path is followed to wherever it
    /// leads now.
    @Test(arguments: [(FileWatch.Scope.place, places), (.contents, contents), (.writes, writes)])
    func changesAreTold(_ scope: FileWatch.Scope, _ cases: [(String, String, Bool)]) async throws {
        for (prepared, change, isTold) in cases {
            let stage = try await Stage(prepared: prepared)
            _ = try await stage.watch(scope)
            try await stage.watchMark()
            let comment = Comment(rawValue: "\(prepared) → \(change)")
            #expect(try await stage.count(change) == (isTold ? 1 : 0), comment)
            #expect(try await stage.count("rm -rf a; \(Self.file)") == 1, comment)
            #expect(try await stage.count("echo 3 > a/b/f") == (scope == .place ? 0 : 1), comment)
            #expect(try await stage.count("echo 3 > a/b/g; mv a/b/g a/b/f") == 1, comment)
            #expect(stage.told.withLock { $0 == [nil] }, comment)
            await stage.end()
        }
    }

    @Test func theDirectoryOfEverythingIsAPathToo() async throws {
        let stage = try await Stage()
        try await stage.watchMark()
        let told = Events<FileWatchError?>()
        stage.watcher.watch("/", .contents) { told.add($0) }
        #expect(try await told.next() == nil)
        await stage.end()
    }

    /// However many changes there are meanwhile, they stay in the kernel until the delay has passed.
    @Test func aBurstIsToldOnce() async throws {
        let stage = try await Stage(prepared: Self.file)
        _ = try await stage.watch(.contents)
        try await stage.watchMark()
        #expect(try await stage.count("for i in $(seq 300); do echo $i > a/b/f; echo > a/b/$i; done") == 1)
        #expect(try await stage.count(":") == 0)
        await stage.end()
    }

    /// The kernel drops what its queue has no room for, and says so: each path may have changed.
    @Test func whatTheKernelDroppedIsLookedForEverywhere() async throws {
        let stage = try await Stage(prepared: "\(Self.file); mkdir flood")
        _ = try await stage.watch(.place)
        try await stage.watchMark()
        let flooded = Events<Void>()
        stage.watcher.watch(stage.home.file("flood"), .contents) { _ in flooded.add(()) }
        try await flooded.next()
        let room = try #require(
            Int(try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8).dropLast()))
        for number in 0...room {
            // Never twice the same in a row: equal changes are added up.
            let path = stage.home.file("flood/\(number % 2)")
            if number % 4 < 2 { close(creat(path, 0o600)) } else { unlink(path) }
        }
        #expect(try await stage.count("rm a/b/f") == 1)
        #expect(try await stage.count(":") == 0, "it is over")
        #expect(try await stage.count("touch a/b/f") == 1)
        await stage.end()
    }

    @Test func renewingTellsEverybodyAtOnce() async throws {
        let stage = try await Stage(prepared: Self.file)
        _ = try await stage.watch(.place)
        let other = Events<Void>()
        stage.watcher.watch(stage.home.file("x"), .place) { _ in other.add(()) }
        try await other.next()
        stage.watcher.renew()
        try await other.next()
        #expect(stage.told.withLock { $0 == [nil] })
        await stage.end()
    }

    @Test func aCancelledPathIsNotToldAndNotWatched() async throws {
        let stage = try await Stage(prepared: Self.file)
        let watch = try await stage.watch(.place)
        try await stage.watchMark()
        let watches = try #require(try stage.queues.first).facts.split(separator: "\n").count
        watch.cancel()
        #expect(try await stage.count("rm a/b/f") == 0)
        watch.cancel()
        #expect(try await stage.count("touch a/b/f") == 0)
        let left = try #require(try stage.queues.first).facts.split(separator: "\n").count
        #expect(left == watches - 2, "of a and of a/b")
        await stage.end()
    }

    /// Of two that one call would tell the first cancels the second.
    @Test func aHandlerMayCancelWhatWouldBeToldNext() async throws {
        let stage = try await Stage(prepared: Self.file)
        let second = Locked<FileWatch?>(nil)
        let first = Events<Void>()
        stage.watcher.watch(stage.home.file("a/b/f"), .place) { _ in
            second.withLock { $0 }?.cancel()
            first.add(())
        }
        try await first.next()
        let watch = try await stage.watch(.place)
        try await stage.watchMark()
        second.withLock { $0 = watch }
        #expect(try await stage.count("rm a/b/f") == 0)
        try await first.next()
        await stage.end()
    }

    @Test func morePathsThanTheCeilingAreRefused() async throws {
        let stage = try await Stage(limit: 2)
        let watch = try await stage.watch(.place)
        try await stage.watchMark()
        let told = Events<FileWatchError?>()
        stage.watcher.watch(stage.home.file("x"), .place) { told.add($0) }
        let error = try await told.next()
        #expect(error == .tooManyPaths(limit: 2) && error?.description.contains("2 paths") == true)
        watch.cancel()
        stage.watcher.watch(stage.home.file("x"), .place) { told.add($0) }
        #expect(try await told.next() == nil)
        await stage.end()
    }

    /// The descriptor stays out of children, and is gone with the watcher, or with its loop.
    @Test(arguments: [true, false]) func noDescriptorIsLeft(isClosed: Bool) async throws {
        var stage: Stage? = try await Stage(prepared: Self.file)
        _ = try await stage?.watch(.contents)
        let queue = try #require(try stage?.queues.first)
        let flags = try #require(queue.facts.firstMatch(of: /flags:\s*([0-7]+)/).flatMap { Int($0.1, radix: 8) })
        #expect(flags & 0o2_000_000 != 0, "close-on-exec")
        #expect(flags & 0o4000 != 0, "non-blocking")
        if isClosed {
            stage?.watcher.close()
            stage?.watcher.close()
            while Self.isInotify(queue.descriptor) { try await letOthersRun() }
            #expect(stage?.told.withLock { $0.isEmpty } == true)
        }
        await stage?.loop.stop()
        stage = nil
        while Self.isInotify(queue.descriptor) { try await letOthersRun() }
        #expect(!Self.isInotify(queue.descriptor))
    }

    private static func isInotify(_ descriptor: String) -> Bool {
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        return target == "anon_inode:inotify"
    }
}
