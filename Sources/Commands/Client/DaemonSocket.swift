import Glibc
import Host
import Platform

/// A blocking connection to the daemon's Unix socket.
final class DaemonSocket {
    private let file: Int32
    private let path: String

    /// For `poll`. Only this object closes it.
    var descriptor: Int32 { file }

    /// - Parameter seconds: The longest time of one read; `nil` for no limit.
    init(path: String, seconds: Int? = 30) throws(CommandFailure) {
        self.path = path
        file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { throw CommandFailure(.other, "no socket could be made: \(SystemError.last)") }
        // A suspended daemon (SIGSTOP) neither accepts connections nor reads.
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        guard Self.connect(file, path) else {
            if errno == EAGAIN { throw CommandFailure(.other, Self.silence(path)) }
            let reason = errno == ENAMETOOLONG ? "its path is too long" : SystemError.last.description.lowercased()
            throw CommandFailure(.noDaemon, Self.absence(path, reason))
        }
        if let seconds {
            var limit = timeval(tv_sec: seconds, tv_usec: 0)
            setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    deinit {
        close(file)
    }

    private static func absence(_ path: String, _ reason: String) -> String {
        guard let pid = owner(of: path) else {
            return
                "cdev is not running: no daemon answers at \(path) (\(reason)); start it with `cdev start`, or `cdev serve`"
        }
        return
            "a daemon (pid \(pid)) runs, but its socket \(path) was deleted or replaced (\(reason)). It makes it anew "
            + "within a second; where it cannot, server.log says why: move away what stands there, or end that process "
            + "and run `cdev start`"
    }

    private static func silence(_ path: String) -> String {
        guard let pid = owner(of: path) else { return "the daemon did not answer in time; its log may say why" }
        return
            "the daemon (pid \(pid)) runs, but did not answer in time. If it was suspended, `kill -CONT \(pid)` continues "
            + "it; if it stays silent, its log may say why: `kill -9 \(pid)`, then `cdev start`"
    }

    private static func owner(of path: String) -> Int32? { ProcessTable.daemon(holding: path + ".lock") }

    private static func connect(_ file: Int32, _ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            errno = ENAMETOOLONG
            return false
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    func send(_ bytes: [UInt8]) throws(CommandFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                throw CommandFailure(.noDaemon, "the daemon closed the connection; is it stopping?")
            }
            rest = rest.dropFirst(count)
        }
    }

    /// The next bytes; empty once the daemon has closed the connection.
    func receive() throws(CommandFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(file, &bytes, bytes.count, 0)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                if errno == EAGAIN { throw CommandFailure(.other, Self.silence(path)) }
                // It ended with bytes of ours unread.
                throw CommandFailure(.noDaemon, "the daemon closed the connection; is it stopping?")
            }
            return Array(bytes.prefix(count))
        }
    }
}
