import CSQLite
import Glibc

/// The least that can stand between a decision and a hook: it reads the hook's request, waits for a byte, commits a row
/// durably, answers.
enum DecideFloor {
    static func serve(socket path: String, database: String) throws {
        var handle: OpaquePointer?
        guard sqlite3_open(database, &handle) == SQLITE_OK, let handle else { throw BenchError("no database") }
        let setup = """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            CREATE TABLE decisions (id TEXT PRIMARY KEY, at INTEGER, decision TEXT, input TEXT);
            CREATE INDEX decisions_by_time ON decisions (at);
            """
        guard sqlite3_exec(handle, setup, nil, nil, nil) == SQLITE_OK else { throw BenchError("no table") }
        let listener = try listen(path)
        print("ready")
        fflush(nil)
        var number = 0
        while true {
            number += 1
            try serveOne(listener, handle, number)
        }
    }

    private static func serveOne(_ listener: Int32, _ database: OpaquePointer, _ number: Int) throws {
        // A hook connects when it has read its input, a decider at once: they are told apart by what they send.
        var visitors: [Int32] = []
        while visitors.count < 2 { visitors.append(accept(listener, nil, nil)) }
        defer { for visitor in visitors { close(visitor) } }
        guard visitors.allSatisfy({ $0 >= 0 }) else { throw BenchError.system("accept") }
        let texts = visitors.map(readMessage)
        guard let decider = texts.firstIndex(of: [0x3F]) else { throw BenchError("nobody decides") }
        send(visitors[decider], [0x3F])
        _ = readMessage(visitors[decider])
        try commit(database, number)
        let body = #"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}"#
        send(visitors[1 - decider], Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
    }

    private static func commit(_ database: OpaquePointer, _ number: Int) throws {
        let input = String(repeating: "i", count: 1000)
        let insert = "INSERT INTO decisions VALUES ('request-\(number)', \(number), 'allow', '\(input)')"
        guard sqlite3_exec(database, insert, nil, nil, nil) == SQLITE_OK else { throw BenchError("no commit") }
    }

    /// A byte, or a request to the end of its 1 KB body.
    private static func readMessage(_ descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
            if bytes.count == 1 || HTTPText.wholeLength(bytes) != nil { return bytes }
        }
    }

    private static func send(_ descriptor: Int32, _ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }

    private static func listen(_ path: String) throws -> Int32 {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, Glibc.listen(listener, 64) == 0 else { throw BenchError.system("listening on \(path)") }
        return listener
    }
}
