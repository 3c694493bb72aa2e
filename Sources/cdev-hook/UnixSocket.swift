#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A connection to the daemon's socket, not blocking; closed when the value ends.
///
/// Guard of the pointers taken here: each is used only inside the call it is passed to, within the size of its variable.
struct UnixSocket: ~Copyable {
    enum Opening: ~Copyable {
        case open(UnixSocket)
        /// Nobody listens there.
        case absent
        /// The path cannot be a socket's address.
        case badPath
        /// Somebody else's process listens there: what it says is not the user's word.
        case foreign
        /// The daemon lives, but its queue of new connections stayed full.
        case busy
    }

    let descriptor: Int32

    deinit { close(descriptor) }

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Connects to `path`; waits (only for a full queue) until `deadline`.
    static func open(_ path: borrowing Buffer, until deadline: Milliseconds) -> Opening {
        var address = sockaddr_un()
        guard path.count > 0, path.count < MemoryLayout.size(ofValue: address.sun_path) else { return .badPath }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { place in
            path.withBytes { place.copyMemory(from: UnsafeRawBufferPointer($0)) }
        }
        let created = create()
        guard created >= 0 else { return .absent }
        let socket = UnixSocket(descriptor: created)
        while true {
            switch socket.attach(to: &address) {
            case 0: return socket.isOurs() ? .open(socket) : .foreign
            // A Unix socket whose queue is full cannot be polled for room.
            case EAGAIN, EINTR:
                guard System.now() < deadline else { return .busy }
                System.pause(5)
            default: return .absent
            }
        }
    }

    /// 0, or the error's number.
    private borrowing func attach(to address: inout sockaddr_un) -> Int32 {
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
        }
        return result == 0 ? 0 : errno
    }

    private static func create() -> Int32 {
        #if canImport(Glibc)
            let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            return socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | flags, 0)
        #else
            let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
            if descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
            return descriptor
        #endif
    }

    /// Whether the listener runs as this user: only such a one may answer for them.
    private borrowing func isOurs() -> Bool {
        #if canImport(Glibc)
            // struct ucred (pid, uid, gid), which the Glibc module does not show.
            var credentials: (UInt32, UInt32, UInt32) = (0, .max, .max)
            var length = socklen_t(MemoryLayout.size(ofValue: credentials))
            guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return false }
            return credentials.1 == geteuid()
        #else
            var user = uid_t.max
            var group = gid_t.max
            return getpeereid(descriptor, &user, &group) == 0 && user == geteuid()
        #endif
    }
}
