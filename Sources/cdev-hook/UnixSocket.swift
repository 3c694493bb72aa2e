#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A non-blocking connection to the daemon's socket, closed when the value's lifetime ends.
///
/// The pointers taken here are safe: each is used only inside the call it is passed to, within the size of its
/// variable.
struct UnixSocket: ~Copyable {
    enum Opening: ~Copyable {
        case open(UnixSocket)
        /// Connecting failed: usually no process listens there.
        case absent
        /// The path is empty or too long for a socket's address.
        case badPath
        /// Another user's process listens there; its answers must not be used.
        case foreign
        /// A process listens, but its queue of new connections stayed full.
        case busy
    }

    let descriptor: Int32

    deinit { close(descriptor) }

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Connects to `path`. Waits until `deadline` only if the queue of new connections is full.
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
            // poll(2) cannot wait for room in the queue of a Unix socket.
            case EAGAIN, EINTR:
                guard System.now() < deadline else { return .busy }
                System.pause(5)
            default: return .absent
            }
        }
    }

    /// Connects. Returns 0 or the error number.
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

    /// True if the listening process runs as this user: only that user's daemon may answer.
    private borrowing func isOurs() -> Bool {
        #if canImport(Glibc)
            // The Glibc module does not export struct ucred (pid, uid, gid).
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
