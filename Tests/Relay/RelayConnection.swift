import Glibc

/// A request received over one connection.
struct Request: Equatable, Sendable {
    var head: String
    var body: [UInt8]

    /// The values of a header field, by its exact name.
    func values(_ name: String) -> [String] {
        head.split(separator: "\r\n").filter { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
    }
}

/// The scripted daemon's end of one connection.
struct RelayConnection {
    let descriptor: Int32
    let daemon: ScriptedDaemon

    /// Reads and records one whole request.
    @discardableResult
    func readRequest() -> Request {
        var text: [UInt8] = []
        var request: Request?
        while request == nil, let more = read() {
            text += more
            request = whole(text)
        }
        let result = request ?? Request(head: "cut short", body: text)
        daemon.record(result)
        return result
    }

    /// Records the request and leaves it unread: once the connection closes, the relay's next read fails with
    /// ECONNRESET.
    func peekAtRequest() {
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_PEEK))
        let text = Array(chunk[..<max(0, count)])
        daemon.record(whole(text) ?? Request(head: "cut short", body: text))
    }

    func send(_ text: String) {
        send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func answer(_ body: String) {
        send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
    }

    /// A 102 with the seconds until the daemon decides by itself.
    /// - Parameter seconds: `nil` sends no deadline: the 102 only says that the daemon reads.
    func hold(_ seconds: String?) {
        send("HTTP/1.1 102 Processing\r\n" + (seconds.map { "Cdev-Deadline: \($0)\r\n" } ?? "") + "\r\n")
    }

    /// A 102 that says that the answer will bring no words for the model.
    func sayNothingComes() {
        send("HTTP/1.1 102 Processing\r\nCdev-Words: none\r\n\r\n")
    }

    /// Sleeps, as a daemon that takes time to answer.
    func take(_ milliseconds: Int32) {
        _ = poll(nil, 0, milliseconds)
    }

    /// Ends the connection before the scene ends.
    func leave() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Returns when the relay has closed the connection, or its sending side.
    func waitUntilGone() {
        while read() != nil {}
    }

    /// The pid of the relay, from the socket's peer credentials.
    var process: pid_t {
        var credentials: (pid_t, UInt32, UInt32) = (0, 0, 0)
        var length = socklen_t(12)
        getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
        return credentials.0
    }

    private func read() -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = Glibc.read(descriptor, &chunk, chunk.count)
        return count > 0 ? Array(chunk[..<count]) : nil
    }

    private func whole(_ text: [UInt8]) -> Request? {
        guard let end = text.indices.dropLast(3).first(where: { text[$0...].starts(with: [13, 10, 13, 10]) }) else {
            return nil
        }
        var request = Request(head: String(decoding: text[..<end], as: UTF8.self) + "\r\n", body: [])
        guard let length = request.values("Content-Length").first.flatMap({ Int($0) }) else { return nil }
        guard text.count >= end + 4 + length else { return nil }
        request.body = Array(text[(end + 4)...])
        return request
    }
}

extension RelayConnection {
    /// True once the relay sleeps, as one does that waits for more; false once it has ended. A relay that has been sent
    /// something runs from that moment on.
    func relayWaits() -> Bool {
        while let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let state = text.split(separator: ")").last?.dropFirst().first, state != "Z", state != "X"
        {
            if state == "S" { return true }
            sched_yield()
        }
        return false
    }
}
