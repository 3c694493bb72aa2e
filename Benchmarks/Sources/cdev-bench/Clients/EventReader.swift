import Glibc

/// A WebSocket client that counts the events it gets and looks at nothing else.
final class EventReader {
    let socket: StreamSocket
    private var buffer: [UInt8] = []

    init(_ socket: StreamSocket, bearer: String?, host: String = "localhost") throws {
        self.socket = socket
        try socket.send(Approver.handshake(key: [UInt8](repeating: 9, count: 16), host: host, bearer: bearer))
        while HTTPText.headLength(buffer) == nil {
            guard socket.receive(into: &buffer) else { throw BenchError("the daemon refused a WebSocket") }
        }
        guard buffer.starts(with: "HTTP/1.1 101".utf8), let head = HTTPText.headLength(buffer) else {
            throw BenchError("the daemon refused a WebSocket: \(String(decoding: buffer, as: UTF8.self))")
        }
        buffer.removeFirst(head)
    }

    /// Whether the daemon has closed it. It has not read: whether the end has come is all that is asked.
    var isClosed: Bool {
        // POLLRDHUP, which the Glibc module leaves out.
        var entry = pollfd(fd: socket.descriptor, events: 0x2000, revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// Waits for an event; the bytes of its frame.
    func next() throws -> Int {
        while true {
            let before = buffer.count
            let events = take()
            if events.count > 0 { return events.bytes }
            guard socket.receive(into: &buffer), buffer.count > before else { throw BenchError("the daemon closed it") }
        }
    }

    /// Reads once; how many events are whole.
    func read() throws -> Int {
        guard socket.receive(into: &buffer) else { throw BenchError("the daemon closed a client that reads") }
        return take().count
    }

    /// Takes whole frames out (RFC 6455 section 5.2); a heartbeat is not counted.
    private func take() -> (count: Int, bytes: Int) {
        var count = 0
        var bytes = 0
        var start = 0
        while buffer.count >= start + 2 {
            let short = Int(buffer[start + 1] & 0x7F)
            let wide = short == 126 ? 2 : short == 127 ? 8 : 0
            guard buffer.count >= start + 2 + wide else { break }
            let length = wide == 0 ? short : buffer[start + 2..<start + 2 + wide].reduce(0) { $0 << 8 | Int($1) }
            let end = start + 2 + wide + length
            guard buffer.count >= end else { break }
            if buffer[start] & 0x0F == 1, length > 700 {
                count += 1
                bytes += end - start
            }
            start = end
        }
        buffer.removeFirst(start)
        return (count, bytes)
    }
}
