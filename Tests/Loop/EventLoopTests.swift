import Foundation
import Loop
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EventLoopTests {
    /// An actor whose executor is a loop.
    actor Counter {
        private nonisolated let loop: EventLoop
        private(set) var values: [Int] = []

        init(loop: EventLoop) {
            self.loop = loop
        }

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        func add(_ value: Int) -> Bool {
            values.append(value)
            return loop.isCurrent
        }

        func addAfterHelper(_ value: Int) async -> Bool {
            await helper()
            return add(value)
        }

        nonisolated(nonsending) private func helper() async {
            #expect(loop.isCurrent)
        }
    }

    @Test func actorsRunOnTheThreadOfTheirLoop() async throws {
        let loop = try EventLoop()
        let counter = Counter(loop: loop)
        #expect(!loop.isCurrent)
        #expect(await counter.add(1))
        #expect(await counter.addAfterHelper(2))
        #expect(await counter.values == [1, 2])
        await loop.stop()
    }

    @Test func workOfOneThreadKeepsItsOrder() async throws {
        let loop = try EventLoop()
        let seen = Events<Int>()
        for value in 0..<1000 { loop.execute { seen.add(value) } }
        #expect(try await seen.next(1000) == Array(0..<1000))
        await loop.stop()
    }

    @Test func workForItsOwnThreadIsRunAtOnce() async throws {
        let loop = try EventLoop()
        let order = await loop.run {
            let seen = Locked<[Int]>([])
            loop.execute { seen.withLock { $0.append(2) } }
            loop.executeNow { seen.withLock { $0.append(1) } }
            return seen.withLock { $0 }
        }
        #expect(order == [1])
        await loop.stop()
    }

    @Test func spawnedTasksRunOnTheLoop() async throws {
        let loop = try EventLoop()
        let task = await loop.run {
            loop.spawn {
                #expect(loop.isCurrent)
                await Task.yield()
                #expect(loop.isCurrent)
            }
        }
        await task.value
        await loop.stop()
    }

    @Test func timersFireInOrderOfTheirDeadlines() async throws {
        let loop = try EventLoop()
        let seen = Events<Int>()
        // All timers are set in one turn of the loop, so that none fires before the last is set.
        await loop.run {
            let now = ContinuousClock.now
            let cancelled = loop.schedule(after: .milliseconds(5)) { seen.add(0) }
            loop.schedule(at: now + .milliseconds(120)) { seen.add(2) }
            loop.schedule(at: now + .milliseconds(60)) {
                #expect(loop.isCurrent)
                seen.add(1)
            }
            loop.schedule(at: now + .milliseconds(180)) { seen.add(3) }
            cancelled.cancel()
        }
        #expect(try await seen.next(3) == [1, 2, 3])
        await loop.stop()
    }

    @Test func aLateDeadlineFiresAtOnceAndAnEndedLoopForgetsTimers() async throws {
        let loop = try EventLoop()
        let seen = Events<Int>()
        loop.schedule(at: .now - .seconds(5)) { seen.add(1) }
        #expect(try await seen.next() == 1)
        loop.schedule(after: .seconds(3600)) { seen.add(2) }
        await loop.stop()
    }

    @Test func workAfterTheStopIsRunAllTheSame() async throws {
        let loop = try EventLoop()
        let counter = Counter(loop: loop)
        await loop.stop()
        await withTaskGroup { group in
            for value in 0..<50 { group.addTask { #expect(await counter.add(value)) } }
        }
        #expect(await counter.values.sorted() == Array(0..<50))
        await loop.stop()
    }

    @Test func workAfterTheStopIsRunThoughTheSystemHasNoThreadLeft() async throws {
        let hasThreads = Locked(true)
        let loop = try EventLoop { body throws(SystemError) in
            guard hasThreads.withLock({ $0 }) else { throw SystemError(code: EAGAIN) }
            try DetachedThread.start("cdev-loop", body)
        }
        let counter = Counter(loop: loop)
        await loop.stop()
        hasThreads.withLock { $0 = false }
        await withTaskGroup { group in
            for value in 0..<50 { group.addTask { #expect(await counter.add(value)) } }
        }
        let seen = Events<Int>()
        loop.execute {
            loop.execute { seen.add(2) }
            loop.executeNow { seen.add(1) }
        }
        // Another thread may be just about to end the work before.
        #expect(try await seen.next(2) == [1, 2])
        #expect(!loop.isCurrent, "the caller's thread is the loop's for that work only")
        hasThreads.withLock { $0 = true }
        #expect(await counter.add(50))
        #expect(await counter.values.sorted() == Array(0...50))
    }

    @Test func aLoopWithoutAThreadIsNotMade() {
        #expect(throws: SystemError(code: EAGAIN)) {
            try EventLoop { _ throws(SystemError) in throw SystemError(code: EAGAIN) }
        }
    }

    @Test func aLoopMayBeStoppedBeforeItHasDoneAnything() async throws {
        for _ in 0..<50 {
            let loop = try EventLoop()
            await loop.stop()
        }
    }

    @Test func workThatNeverEndsLeavesTimeForTimers() async throws {
        let loop = try EventLoop()
        let ended = Events<Void>()
        let goOn = Locked(true)
        @Sendable func again() {
            if goOn.withLock({ $0 }) { loop.execute(again) }
        }
        loop.execute(again)
        loop.schedule(after: .milliseconds(5)) {
            goOn.withLock { $0 = false }
            ended.add(())
        }
        try await ended.next()
        await loop.stop()
    }

    @Test func signalsArriveUntilTheLoopEnds() async throws {
        let loop = try EventLoop()
        let signals = await loop.signals([SIGUSR1, SIGUSR2])
        kill(getpid(), SIGUSR2)
        var iterator = signals.makeAsyncIterator()
        #expect(await iterator.next() == SIGUSR2)
        await loop.stop()
        #expect(await iterator.next() == nil)
    }
}
