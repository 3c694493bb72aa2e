import CCurl

/// The exchanges that run on the sender's thread.
struct Transfers {
    private let curl: UnsafePointer<ccurl>
    private let multi: UnsafeMutableRawPointer
    private let seconds: Double
    private var running: [UnsafeMutableRawPointer: CurlTransfer] = [:]

    init(_ curl: UnsafePointer<ccurl>, multi: UnsafeMutableRawPointer, seconds: Double) {
        self.curl = curl
        self.multi = multi
        self.seconds = seconds
    }

    var count: Int { running.count }

    mutating func begin(_ job: HTTPSender.Job) {
        guard let transfer = CurlTransfer(job.request, with: curl, seconds: seconds, answer: job.answer) else {
            return job.answer.resume(returning: .failed("the request could not be made"))
        }
        guard curl.pointee.multi_add_handle(multi, transfer.easy) == CURLM_OK else {
            return transfer.finish(.failed("the request could not be started"))
        }
        running[transfer.easy] = transfer
    }

    /// Runs all transfers as far as they go, then waits until one can go on or the thread is woken.
    mutating func work() {
        var left: Int32 = 0
        _ = curl.pointee.multi_perform(multi, &left)
        var code = CURLE_OK
        var isDone = false
        while let easy = ccurl_next_done(curl, multi, &code) {
            isDone = true
            guard let transfer = running.removeValue(forKey: easy) else { continue }
            _ = curl.pointee.multi_remove_handle(multi, easy)
            transfer.finish(transfer.result(code))
        }
        // If an exchange has ended, return at once: a waiting job may begin.
        guard !isDone else { return }
        _ = curl.pointee.multi_poll(multi, nil, 0, running.isEmpty ? 60_000 : 1000, nil)
    }

    mutating func abandon() {
        for transfer in running.values {
            _ = curl.pointee.multi_remove_handle(multi, transfer.easy)
            transfer.finish(.failed("the daemon is stopping"))
        }
        running = [:]
    }
}
