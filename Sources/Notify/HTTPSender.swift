import CCurl
import Platform

/// An HTTP POST to another machine.
package struct OutgoingRequest: Sendable, Hashable {
    package var url: String
    /// Name and value; neither holds a line break.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// True if the URL came from a client, not from the user's configuration: it must not lead into a private network.
    package var isForeign: Bool

    package init(url: String, headers: [(name: String, value: String)] = [], body: [UInt8], isForeign: Bool = false) {
        self.url = url
        self.headers = headers
        self.body = body
        self.isForeign = isForeign
    }

    package static func == (left: OutgoingRequest, right: OutgoingRequest) -> Bool {
        left.url == right.url && left.body == right.body && left.isForeign == right.isForeign
            && left.headers.elementsEqual(right.headers) { $0 == $1 }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(body)
    }
}

/// The outcome of one exchange.
package enum ExchangeResult: Sendable, Hashable {
    /// - retryAfter: Seconds, from the field `Retry-After`.
    case answered(status: Int, body: [UInt8], retryAfter: Double?)
    /// No complete response arrived; the sentence says why.
    case failed(String)
}

/// The way in which a sender speaks, and its limits.
package struct HTTPOptions: Sendable, Hashable {
    /// The longest time of a whole exchange.
    package var seconds: Double = 10
    package var mostRunning = 8
    package var mostWaiting = 64
    /// True for HTTP/2 over TLS, all requests to a host in one connection; false for HTTP/1.1 or what TLS negotiates.
    package var isMultiplexed = false
    /// The path of the certificates that may vouch for servers (PEM), in place of the system's.
    package var authority: String?

    package init() {}
}

/// Sends requests with libcurl, on a thread of its own that starts with the first request. At most `mostRunning` exchanges
/// run and `mostWaiting` requests wait; a further one fails at once. Certificates are verified, redirects are not followed,
/// and a response may have 64 KiB.
///
/// `@unchecked Sendable`: `state` is touched under `lock` only; only the thread uses the multi handle, except for
/// `multi_wakeup`, which libcurl allows from any thread.
package final class HTTPSender: @unchecked Sendable {
    struct Job {
        let request: OutgoingRequest
        let answer: CheckedContinuation<ExchangeResult, Never>
    }

    private struct State {
        var waiting: [Job] = []
        var isStopped = false
        var hasThread = false
    }

    private let lock = Lock()
    private var state = State()
    private var multi: OpaquePointer?
    private let options: HTTPOptions

    package init(_ options: HTTPOptions = HTTPOptions()) {
        self.options = options
    }

    /// - Parameter seconds: The longest time of a whole exchange.
    package convenience init(seconds: Double) {
        var options = HTTPOptions()
        options.seconds = seconds
        self.init(options)
    }

    package func send(_ request: OutgoingRequest) async -> ExchangeResult {
        await withCheckedContinuation { continuation in
            if let refusal = enqueue(Job(request: request, answer: continuation)) {
                continuation.resume(returning: .failed(refusal))
            }
        }
    }

    /// Fails the exchanges that run and those that wait; the thread ends.
    package func stop() {
        lock.withLock {
            state.isStopped = true
            wake()
        }
    }

    private func enqueue(_ job: Job) -> String? {
        lock.withLock {
            if state.isStopped { return "the daemon is stopping" }
            if state.waiting.count >= options.mostWaiting { return "too many messages are waiting to be sent" }
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
        // `multi` is `nil` until the thread has made it; before, the thread does not wait and needs no waking.
        if let multi { _ = Curl.shared?.functions.pointee.multi_wakeup(UnsafeMutableRawPointer(multi)) }
    }

    // MARK: The thread

    private func run() {
        guard let curl = Curl.shared?.functions, let multi = curl.pointee.multi_init() else {
            return refuse("libcurl could not be loaded (Debian: libcurl4)")
        }
        lock.withLock { self.multi = OpaquePointer(multi) }
        var transfers = Transfers(curl, multi: multi, options)
        while let jobs = next(room: transfers.room) {
            for job in jobs { transfers.begin(job) }
            transfers.work()
        }
        transfers.abandon()
        refuse("the daemon is stopping")
        _ = curl.pointee.multi_cleanup(multi)
    }

    /// Fails what waits, before the thread ends; the next request starts another thread.
    private func refuse(_ reason: String) {
        let left = lock.withLock { () -> [Job] in
            defer { state.waiting = [] }
            multi = nil
            state.hasThread = false
            return state.waiting
        }
        for job in left { job.answer.resume(returning: .failed(reason)) }
    }

    /// The next jobs, at most `room`; `nil` once stopped.
    private func next(room: Int) -> [Job]? {
        lock.withLock {
            if state.isStopped { return nil }
            let jobs = Array(state.waiting.prefix(room))
            state.waiting.removeFirst(jobs.count)
            return jobs
        }
    }
}
