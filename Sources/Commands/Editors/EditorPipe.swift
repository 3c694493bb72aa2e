import Glibc
import OrderedJSON
import Platform
import Wire

/// Carries messages between an editor, a line each, and the daemon, a WebSocket frame each. A daemon that goes is
/// connected to again.
struct EditorPipe {
    private let places: Places
    private let start: () -> Void
    private var talk = EditorTalk()
    private var input: [UInt8] = []
    private var daemon: DaemonFrames?
    /// When to try to connect again, in milliseconds of the monotonic clock.
    private var nextTry: Int64 = 0

    /// Milliseconds between two attempts to connect.
    private static let pause: Int64 = 500
    /// The white space of JSON.
    private static let blanks = Array("\t\r ".utf8)
    /// Bytes of a line. A prompt has at most 10 MiB.
    private static let longestLine = 32 << 20

    init(places: Places, start: @escaping () -> Void) {
        self.places = places
        self.start = start
    }

    /// Returns when the editor has closed its end. Throws if there is no daemon at first.
    mutating func run() throws(CommandFailure) {
        signal(SIGPIPE, SIG_IGN)
        try begin()
        while true {
            var files = [pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)]
            if let daemon { files.append(pollfd(fd: daemon.descriptor, events: Int16(POLLIN), revents: 0)) }
            let left = daemon == nil ? max(0, nextTry - SystemTime.awake) : -1
            guard poll(&files, nfds_t(files.count), Int32(left)) >= 0 || errno == EINTR else { return }
            if files.count > 1, files[1].revents != 0 { try receive() }
            if files[0].revents != 0, try !readInput() { return }
            if daemon == nil, SystemTime.awake >= nextTry { again() }
        }
    }

    private mutating func begin() throws(CommandFailure) {
        do throws(CommandFailure) {
            daemon = try connection()
        } catch {
            guard error.status == .noDaemon else { throw error }
            start()
            daemon = try connection()
        }
    }

    private func connection() throws(CommandFailure) -> DaemonFrames {
        try DaemonFrames(socketPath: places.socket, target: "/acp")
    }

    // MARK: The daemon

    private mutating func receive() throws(CommandFailure) {
        do throws(CommandFailure) {
            guard let messages = try daemon?.receive() else { return try lose() }
            for message in messages { if let line = talk.fromDaemon(message) { try write(line) } }
            for line in talk.released() { try pass(line) }
        } catch {
            guard error.status == .noDaemon else { throw error }
            try lose()
        }
    }

    private mutating func lose() throws(CommandFailure) {
        daemon = nil
        nextTry = SystemTime.awake + Self.pause
        for line in talk.lost() { try write(line) }
    }

    private mutating func again() {
        nextTry = SystemTime.awake + Self.pause
        start()
        guard var found = try? connection() else { return }
        for line in talk.back() { try? found.send(line) }
        daemon = found
    }

    // MARK: The editor

    /// Returns false at the end of the input.
    private mutating func readInput() throws(CommandFailure) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = read(STDIN_FILENO, &chunk, chunk.count)
        guard count > 0 else { return count < 0 && errno == EINTR }
        input += chunk[..<count]
        var rest = input[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            try send(Array(rest[..<end]))
            rest = rest[(end + 1)...]
        }
        input = Array(rest)
        guard input.count <= Self.longestLine else {
            throw CommandFailure(.other, "the editor sent a line of more than \(Self.longestLine) bytes")
        }
        return true
    }

    private mutating func send(_ line: [UInt8]) throws(CommandFailure) {
        guard line.contains(where: { !Self.blanks.contains($0) }) else { return }
        // Somebody waits for an answer: there may be a daemon by now.
        if daemon == nil { again() }
        switch talk.fromEditor(line, isConnected: daemon != nil) {
        case .answer(let answer): try write(answer)
        case .hold: break
        case .send: try pass(line)
        }
    }

    private mutating func pass(_ line: [UInt8]) throws(CommandFailure) {
        do throws(CommandFailure) {
            try daemon?.send(line)
        } catch {
            guard error.status == .noDaemon else { throw error }
            try lose()
        }
    }

    private func write(_ line: [UInt8]) throws(CommandFailure) {
        var rest = (line + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw CommandFailure(.other, "the editor does not read any more") }
            rest = rest.dropFirst(count)
        }
    }
}
