import CCurl
import Platform

/// A request that leaves this machine.
package struct Parcel: Sendable, Hashable {
    package var url: String
    /// Name and value; neither holds a line break.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// The address was given by somebody else than the user, so it must not lead into a private network.
    package var isForeign: Bool

    package init(url: String, headers: [(name: String, value: String)] = [], body: [UInt8], isForeign: Bool = false) {
        self.url = url
        self.headers = headers
        self.body = body
        self.isForeign = isForeign
    }

    package static func == (left: Parcel, right: Parcel) -> Bool {
        left.url == right.url && left.body == right.body && left.isForeign == right.isForeign
            && left.headers.elementsEqual(right.headers) { $0 == $1 }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(body)
    }
}

/// What came back.
package enum Receipt: Sendable, Hashable {
    /// - retryAfter: Seconds, of the field `Retry-After`.
    case answered(status: Int, body: [UInt8], retryAfter: Double?)
    /// No whole answer; the sentence says why.
    case failed(String)
}

/// Sends with libcurl, on a thread of its own that begins with the first parcel. At most 8 are on their way, 64 wait;
/// what comes beyond fails at once. Certificates are verified, redirects are answers like any other, an answer has 10 s
/// and 64 KiB.
///
/// `@unchecked Sendable`: `state` is touched under `lock` only; the multi handle belongs to the thread, but for waking
/// it, which libcurl allows from any thread.
package final class Courier: @unchecked Sendable {
    struct Job {
        let parcel: Parcel
        let answer: CheckedContinuation<Receipt, Never>
    }

    private struct State {
        var waiting: [Job] = []
        var isStopped = false
        var hasThread = false
    }

    package static let mostWaiting = 64
    static let mostRunning = 8

    private let lock = Lock()
    private var state = State()
    private var multi: OpaquePointer?
    let seconds: Double

    /// - Parameter seconds: A whole exchange may take so long.
    package init(seconds: Double = 10) {
        self.seconds = seconds
    }

    package func send(_ parcel: Parcel) async -> Receipt {
        await withCheckedContinuation { continuation in
            if let refusal = enqueue(Job(parcel: parcel, answer: continuation)) {
                continuation.resume(returning: .failed(refusal))
            }
        }
    }

    /// What is under way fails; the thread ends.
    package func stop() {
        lock.withLock {
            state.isStopped = true
            wake()
        }
    }

    private func enqueue(_ job: Job) -> String? {
        lock.withLock {
            if state.isStopped { return "the daemon is stopping" }
            if state.waiting.count >= Self.mostWaiting { return "too many messages are waiting to be sent" }
            if !state.hasThread, let failure = start() { return failure }
            state.waiting.append(job)
            wake()
            return nil
        }
    }

    private func start() -> String? {
        do throws(SystemError) {
            try DetachedThread.start("cdev-notify") { self.run() }
        } catch {
            return "no thread could be started: \(error)"
        }
        state.hasThread = true
        return nil
    }

    private func wake() {
        // Until the thread has made it, the thread does not wait either.
        if let multi { _ = Curl.shared?.functions.pointee.multi_wakeup(UnsafeMutableRawPointer(multi)) }
    }

    // MARK: The thread

    private func run() {
        guard let curl = Curl.shared?.functions, let multi = curl.pointee.multi_init() else {
            return refuse("libcurl could not be loaded (Debian: libcurl4)")
        }
        lock.withLock { self.multi = OpaquePointer(multi) }
        var transfers = Transfers(curl, multi: multi, seconds: seconds)
        while let jobs = next(room: Self.mostRunning - transfers.count) {
            for job in jobs { transfers.begin(job) }
            transfers.work()
        }
        transfers.abandon()
        refuse("the daemon is stopping")
        _ = curl.pointee.multi_cleanup(multi)
    }

    /// The thread ends; the next parcel begins another.
    private func refuse(_ reason: String) {
        let left = lock.withLock { () -> [Job] in
            defer { state.waiting = [] }
            multi = nil
            state.hasThread = false
            return state.waiting
        }
        for job in left { job.answer.resume(returning: .failed(reason)) }
    }

    /// What may begin now; `nil` once stopped.
    private func next(room: Int) -> [Job]? {
        lock.withLock {
            if state.isStopped { return nil }
            let jobs = Array(state.waiting.prefix(room))
            state.waiting.removeFirst(jobs.count)
            return jobs
        }
    }
}
