import Core
import Testing

@Suite struct GitChangeWatchTests {
    private var watch = GitChangeWatch()

    private func time(_ seconds: Double) -> Uptime { Uptime(milliseconds: 1000) + seconds }

    private func summary(_ branch: String?, staged: Int = 0) -> GitSummary {
        var status = GitStatus()
        status.branch = branch
        status.staged = (0..<staged).map { GitStatus.Entry(GitPath("\($0)".utf8), "M") }
        return GitSummary(status, operation: nil)
    }

    /// Looks once, so that the next look can find a change.
    private mutating func begin() {
        #expect(watch.changed(at: time(0)) == [.wake(time(0.5))])
        #expect(watch.woke(at: time(0.5)) == [.look])
        #expect(watch.looked(summary("main"), at: time(0.5)) == [.tellStatus(summary("main"))])
    }

    /// What changed between the answer to who asked and the first look would be told to nobody otherwise.
    @Test mutating func theFirstLookIsToldOnce() {
        begin()
        #expect(watch.changed(at: time(9)) == [.wake(time(9.5))] && watch.woke(at: time(9.5)) == [.look])
        #expect(watch.looked(summary("main"), at: time(9.5)) == [])
    }

    @Test mutating func aFirstLookThatFoundNothingOutIsNotTheFirst() {
        _ = watch.changed(at: time(0))
        _ = watch.woke(at: time(0.5))
        #expect(watch.looked(nil, at: time(0.5)) == [])
        _ = watch.changed(at: time(9))
        _ = watch.woke(at: time(9.5))
        #expect(watch.looked(summary("main"), at: time(9.5)) == [.tellStatus(summary("main"))])
    }

    /// The list of changes is the same after a second edit of a file, and its diff is not.
    @Test mutating func whatWasWrittenIsToldAlways() {
        begin()
        #expect(watch.written(at: time(9)) == [.wake(time(9.5))] && watch.woke(at: time(9.5)) == [.look])
        // Written while git is asked: git may have read the file before.
        #expect(watch.written(at: time(9.6)) == [])
        #expect(
            watch.looked(summary("main"), at: time(9.7)) == [.tellStatus(summary("main")), .wake(time(10.7))])
        #expect(watch.woke(at: time(10.7)) == [.look])
        #expect(watch.looked(summary("main"), at: time(11)) == [.tellStatus(summary("main"))])
        #expect(watch.changed(at: time(12)) == [.wake(time(12.5))] && watch.woke(at: time(12.5)) == [.look])
        #expect(watch.looked(summary("main"), at: time(13)) == [])
    }

    @Test mutating func manyChangesAreOneLook() {
        begin()
        #expect(watch.changed(at: time(9)) == [.wake(time(9.5))])
        #expect(watch.changed(at: time(9.1)) == [] && watch.woke(at: time(9.4)) == [])
        #expect(watch.woke(at: time(9.5)) == [.look] && watch.woke(at: time(9.5)) == [])
        #expect(watch.looked(summary("main", staged: 1), at: time(9.6)) == [.tellStatus(summary("main", staged: 1))])
    }

    @Test mutating func aSecondIsBetweenTwoEvents() {
        begin()
        #expect(watch.changed(at: time(0.6)) == [.wake(time(1.5))])
        #expect(watch.woke(at: time(1.5)) == [.look])
        // What changes while git is asked is looked at again.
        #expect(watch.changed(at: time(1.6)) == [])
        #expect(
            watch.looked(summary("main", staged: 1), at: time(4))
                == [.tellStatus(summary("main", staged: 1)), .wake(time(5))])
    }

    @Test mutating func anotherBranchIsTold() {
        begin()
        _ = watch.changed(at: time(9))
        _ = watch.woke(at: time(10))
        #expect(
            watch.looked(summary(nil), at: time(10)) == [.tellBranch(from: "main", to: nil), .tellStatus(summary(nil))])
    }

    @Test mutating func whatIsTheSameIsNotTold() {
        begin()
        for answer in [summary("main"), nil, summary("main")] {
            _ = watch.changed(at: time(9))
            _ = watch.woke(at: time(99))
            #expect(watch.looked(answer, at: time(99)) == [])
        }
    }

    @Test func aSummaryIsShort() {
        let long = summary("main", staged: 100_000)
        #expect(long.paths.count == GitSummary.mostPaths && long.changed == 100_000)
        #expect(long != summary("main", staged: 100_001))
    }
}
