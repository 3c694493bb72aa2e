/// Sends one hook call to the daemon and receives the answer, even if the daemon restarts meanwhile.
struct Relay: ~Copyable {
    /// The outcome of one connection.
    private enum Ending {
        case answered
        case failed(Failure)
        /// The daemon could not be reached.
        case unreached(Failure)
        /// The connection broke. `held` is true if the daemon had confirmed that it holds the call.
        case dropped(held: Bool)
    }

    private let limits: Limits
    private let path: Buffer
    /// The latest end of the call. The first deadline from a daemon moves it earlier; later deadlines cannot move it
    /// again, so that no daemon keeps Claude waiting for ever.
    private var end: Milliseconds
    private var isBound = false
    private var reply = Reply()
    /// Nothing but words for the model is waited for: the answer is empty as soon as the daemon says that none will come.
    private var wantsWordsOnly = false

    init(path: consuming Buffer, limits: Limits, started: Milliseconds) {
        self.path = path
        self.limits = limits
        end = started + limits.total
    }

    /// Passes the answer's body to `use`. Call this only after `ask` returned nil.
    borrowing func withAnswer<Result>(_ use: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        reply.withBody(use)
    }

    /// Sends the request without waiting for an answer: the daemon handles a complete request even if its sender has
    /// left.
    mutating func tell(_ request: borrowing Request) {
        let deadline = System.now() + limits.firstByte
        switch UnixSocket.open(path, until: deadline) {
        case .open(let socket): _ = Self.send(request, to: socket, until: deadline)
        case .absent: Starter.startAgain(path)
        case .badPath: return
        case .busy: return
        case .foreign: return
        }
    }

    /// Sends the request and waits until the daemon has handled it, or said that the answer will bring no words for the
    /// model where they are all that is wanted. It is not sent again. False where no answer came.
    mutating func tellUntilAnswered(_ request: borrowing Request, wantsWordsOnly: Bool) -> Bool {
        self.wantsWordsOnly = wantsWordsOnly
        return if case .answered = attempt(request) { true } else { false }
    }

    /// Sends the request, again after a broken connection, until there is an answer. Returns nil, or why there is none.
    mutating func ask(_ request: borrowing Request) -> Failure? {
        var searchEnd: Milliseconds?
        while true {
            switch attempt(request) {
            case .answered: return nil
            // While the daemon is restarting, 503 means that it is still starting or stopping.
            case .failed(.status(503)) where searchEnd != nil: break
            case .failed(let failure): return failure
            case .unreached(let failure): if searchEnd == nil { return failure }
            case .dropped(let held):
                if held || searchEnd == nil { searchEnd = min(end, System.now() + limits.search) }
            }
            guard let searchEnd, System.now() < searchEnd else { return .left }
            System.pause(limits.lookEvery)
        }
    }

    private mutating func attempt(_ request: borrowing Request) -> Ending {
        let deadline = min(end, System.now() + limits.firstByte)
        switch UnixSocket.open(path, until: deadline) {
        case .absent:
            Starter.startAgain(path)
            return .unreached(.absent)
        case .busy: return .unreached(.busy)
        case .badPath: return .failed(.badSocketPath)
        case .foreign: return .failed(.foreign)
        case .open(let socket):
            switch Self.send(request, to: socket, until: deadline) {
            case .sent: return receive(from: socket, sent: true)
            case .broken: return receive(from: socket, sent: false)
            case .late: return .failed(.silent)
            }
        }
    }

    /// Reads until the answer is complete. Where the request was not `sent` completely, only an error is accepted.
    private mutating func receive(from socket: borrowing UnixSocket, sent: Bool) -> Ending {
        reply.clear()
        var deadline = min(end, System.now() + limits.firstByte)
        var begun = false
        var held = false
        while true {
            switch System.waitWhileHeard(socket.descriptor, until: deadline) {
            case .late: return .failed(begun ? .late : .silent)
            case .unheard: return .failed(.unheard)
            case .ready: break
            }
            let closed: Bool
            switch reply.fill(from: socket.descriptor) {
            case .wouldBlock: continue
            case .bytes: closed = false
            case .end, .broken: closed = true
            }
            if !begun, !closed {
                begun = true
                deadline = min(end, System.now() + limits.grace)
            }
            var progress = reply.advance(closed: closed)
            while case .held(let span, let isWithoutWords) = progress {
                held = true
                if isWithoutWords, wantsWordsOnly {
                    reply.clear()
                    return .answered
                }
                // A 102 without a deadline only confirms that the daemon reads; the deadline stays as it is.
                if let span {
                    deadline = min(end, System.now() + span + limits.grace)
                    if !isBound { end = deadline }
                    isBound = true
                }
                progress = reply.advance(closed: closed)
            }
            switch progress {
            case .answered: return sent ? .answered : .dropped(held: held)
            case .failed(let failure): return .failed(failure)
            case .cut: return .dropped(held: held)
            case .more, .held: break
            }
        }
    }

    private enum Sending {
        case sent, broken, late
    }

    private static func send(
        _ request: borrowing Request, to socket: borrowing UnixSocket, until deadline: Milliseconds
    ) -> Sending {
        let descriptor = socket.descriptor
        return request.withBytes { send($0, to: descriptor, until: deadline) }
    }

    private static func send(
        _ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32, until deadline: Milliseconds
    ) -> Sending {
        guard let base = bytes.baseAddress else { return .broken }
        var done = 0
        while done < bytes.count {
            switch System.writeSome(descriptor, from: base + done, count: bytes.count - done) {
            case .bytes(let count): done += count
            case .wouldBlock: if !System.wait(descriptor, for: .writing, until: deadline) { return .late }
            case .end, .broken: return .broken
            }
        }
        return .sent
    }
}
