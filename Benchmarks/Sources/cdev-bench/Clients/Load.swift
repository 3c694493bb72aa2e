import Glibc

/// Requests over kept connections, the next one of each as soon as its last is answered.
struct Load {
    struct Run {
        let time: Nanoseconds
        /// Of this process, in nanoseconds.
        let processor: Double
    }

    let connections: Int
    /// The bytes of each request.
    let request: (Int) -> [UInt8]
    /// What a right answer holds.
    var wanted: StaticString = "200 OK"

    init(connections: Int, _ request: @escaping (Int) -> [UInt8]) {
        self.connections = connections
        self.request = request
    }

    private final class Line {
        let socket: StreamSocket
        var buffer: [UInt8] = []

        init(_ socket: StreamSocket) {
            self.socket = socket
        }
    }

    /// - Parameter settled: returns when what was sent is done with.
    func run(_ count: Int, connect: () throws -> StreamSocket, settled: () throws -> Void = {}) throws -> Run {
        let lines = try (0..<connections).map { _ in Line(try connect()) }
        let poller = Poller()
        for (number, line) in lines.enumerated() { poller.add(line.socket, number: number) }
        // Made before the clock starts: writing JSON is not what is measured.
        let requests = (0..<count).map(request)
        let processor = Self.ownProcessor()
        let start = Clock.now()
        var sent = 0
        var wrong = 0
        for line in lines where sent < count {
            try line.socket.send(requests[sent])
            sent += 1
        }
        var answered = 0
        while answered < count {
            for number in try poller.wait() {
                let line = lines[number]
                guard line.socket.receive(into: &line.buffer) else { throw BenchError("the server has left") }
                guard let length = HTTPText.wholeLength(line.buffer) else { continue }
                if !line.buffer.contains(wanted) { wrong += 1 }
                line.buffer.removeFirst(length)
                answered += 1
                guard sent < count else { continue }
                try line.socket.send(requests[sent])
                sent += 1
            }
        }
        guard wrong == 0 else { throw BenchError("\(wrong) of \(count) answers were not as they should be") }
        try settled()
        return Run(time: Clock.now() - start, processor: Self.ownProcessor() - processor)
    }

    private static func ownProcessor() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
