import CCurl

/// The exchanges that run on the sender's thread.
struct Transfers {
    private let curl: UnsafePointer<ccurl>
    private let multi: UnsafeMutableRawPointer
    private let options: HTTPOptions
    private var running: [UnsafeMutableRawPointer: (transfer: CurlTransfer, number: UInt64)] = [:]
    private var begun: UInt64 = 0
    /// The newest exchange that had begun when the last response came.
    private var answered: UInt64 = 0
    /// True if the connection seems dead: an exchange timed out, and no response came since it began. libcurl keeps a
    /// connection of HTTP/2 whose streams time out, and would go on using it.
    private var isStale = false

    init(_ curl: UnsafePointer<ccurl>, multi: UnsafeMutableRawPointer, _ options: HTTPOptions) {
        self.curl = curl
        self.multi = multi
        self.options = options
        if options.isMultiplexed { _ = ccurl_set_multi(curl, multi, CURLMOPT_MAX_HOST_CONNECTIONS, 1) }
    }

    /// The number of exchanges that may begin: none before the last one on a dead connection has ended, so that the
    /// connection can be closed.
    var room: Int { isStale && !running.isEmpty ? 0 : options.mostRunning - running.count }

    mutating func begin(_ job: HTTPSender.Job) {
        guard let transfer = CurlTransfer(job.request, with: curl, options, answer: job.answer) else {
            return job.answer.resume(returning: .failed("the request could not be made"))
        }
        if isStale, running.isEmpty {
            isStale = false
            // With a limit of one connection to a host, libcurl closes the idle one.
            _ = ccurl_set_long(curl, transfer.easy, CURLOPT_FRESH_CONNECT, 1)
        }
        guard curl.pointee.multi_add_handle(multi, transfer.easy) == CURLM_OK else {
            return transfer.finish(.failed("the request could not be started"))
        }
        begun += 1
        running[transfer.easy] = (transfer, begun)
    }

    /// Runs all transfers as far as they go, then waits until one can go on or the thread is woken.
    mutating func work() {
        var left: Int32 = 0
        _ = curl.pointee.multi_perform(multi, &left)
        var code = CURLE_OK
        var isDone = false
        while let easy = ccurl_next_done(curl, multi, &code) {
            isDone = true
            guard let (transfer, number) = running.removeValue(forKey: easy) else { continue }
            note(code, of: number)
            _ = curl.pointee.multi_remove_handle(multi, easy)
            transfer.finish(transfer.result(code))
        }
        // If an exchange has ended, return at once: a waiting job may begin.
        guard !isDone else { return }
        _ = curl.pointee.multi_poll(multi, nil, 0, running.isEmpty ? 60_000 : 1000, nil)
    }

    private mutating func note(_ code: CURLcode, of number: UInt64) {
        if code == CURLE_OK { (answered, isStale) = (begun, false) }
        if code == CURLE_OPERATION_TIMEDOUT, options.isMultiplexed, answered < number { isStale = true }
    }

    mutating func abandon() {
        for (transfer, _) in running.values {
            _ = curl.pointee.multi_remove_handle(multi, transfer.easy)
            transfer.finish(.failed("the daemon is stopping"))
        }
        running = [:]
    }
}
