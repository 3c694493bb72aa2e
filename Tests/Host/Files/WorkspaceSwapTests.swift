import CPlatform
import Core
import Host
import Platform
import TestSupport
import Testing

/// A directory and a link that leads out change places all the time while both are read. What is outside must never be
/// read, whenever the change comes between a check and the opening.
@Suite("Names that change while they are read", .serialized, .timeLimit(.minutes(1)))
struct WorkspaceSwapTests {
    /// Exchanges two names until it is told to end.
    private final class Swapper: Sendable {
        private let isOver = Locked(false)
        private let count = Locked(0)
        private let ended = Events<Void>()

        init(_ one: String, _ other: String) throws {
            try DetachedThread.start("swap") { [self] in
                while !isOver.withLock({ $0 }) {
                    if cplatform_exchange(one, other) == 0 { count.withLock { $0 += 1 } }
                }
                ended.add(())
            }
        }

        /// How often they changed places.
        func end() async throws -> Int {
            isOver.withLock { $0 = true }
            try await ended.next()
            return count.withLock { $0 }
        }
    }

    @Test(
        arguments: [true, false],
        [
            ("mkdir d; echo inside > d/f; ln -s ../out l", "d", "d/f"),
            ("mkdir -p p/d/e; echo inside > p/d/e/f; mkdir q; ln -s ../../out q/e; ln -s p/d way", "p/d", "way/e/f"),
            ("echo inside > d; ln -s ../out/f l", "d", "d"), ("echo inside > d; ln -s /etc/passwd l", "d", "d"),
        ])
    func nothingOutsideIsRead(asksKernel: Bool, _ case: (script: String, name: String, path: String)) async throws {
        let stage = try WorkspaceStage(`case`.script)
        let disk = WorkspaceTree(asksKernel: asksKernel)
        let other = `case`.name == "p/d" ? "q" : "l"
        let swapper = try Swapper(stage.root + "/" + `case`.name, stage.root + "/" + other)
        var read = 0
        var refused = 0
        for _ in 0..<4000 {
            do {
                #expect(try stage.text(`case`.path, disk) == "inside\n")
                read += 1
            } catch {
                refused += 1
            }
        }
        #expect(try await swapper.end() > 10)
        #expect(read > 0 && refused > 0, "both were met")
    }

    @Test(arguments: [true, false]) func nothingOutsideIsListedOrCounted(asksKernel: Bool) async throws {
        let stage = try WorkspaceStage("mkdir d; echo inside > d/g; ln -s ../out l")
        let disk = WorkspaceTree(asksKernel: asksKernel)
        let swapper = try Swapper(stage.root + "/d", stage.root + "/l")
        for _ in 0..<1000 {
            if let names = try? stage.names("d", disk) { #expect(names == ["g"]) }
            let page = try stage.page("", disk)
            // Outside are two files, of 32 bytes together.
            #expect(page.directories.allSatisfy { $0.fileCount <= 1 && $0.totalSize <= 7 })
            #expect(page.files.allSatisfy { $0.size <= 7 })
        }
        #expect(try await swapper.end() > 10)
    }

    /// A pipe that took the file's place would make the reader wait, or let its writer go on.
    @Test(arguments: [true, false]) func nothingWaitsForAPipe(asksKernel: Bool) async throws {
        let stage = try WorkspaceStage("echo inside > f; mkfifo p")
        let disk = WorkspaceTree(asksKernel: asksKernel)
        let swapper = try Swapper(stage.root + "/f", stage.root + "/p")
        for _ in 0..<2000 {
            let text = try? stage.text("f", disk)
            #expect(text == nil || text == "inside\n")
        }
        #expect(try await swapper.end() > 10)
    }
}
