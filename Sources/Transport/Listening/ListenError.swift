package import Platform

/// The reason why the server cannot listen on an address or a socket file. The facts are in the cases; `description` is
/// the sentence for the log.
package enum ListenError: Error, Equatable, CustomStringConvertible {
    /// A socket path is longer than the kernel takes (107 bytes on Linux, 103 on macOS).
    case pathTooLong(path: String, bytes: Int, limit: Int)
    /// Another process holds the lock beside the socket, or answers on the socket itself. `holder` is its process id,
    /// when known.
    case socketInUse(path: String, holder: Int32?)
    /// Something that is not a socket lies where the socket should be; it is left alone.
    case notASocket(path: String)
    /// Somebody else could replace the socket: the directory belongs to another user or others may write to it.
    case directoryNotPrivate(path: String, owner: UInt32, mode: UInt32)
    /// Somebody else listens on this address and port.
    case addressInUse(host: String, port: UInt16)
    /// The host name has no address.
    case unknownHost(String)
    /// A system call failed. `what` says what it was for: "listening on /run/s".
    case system(what: String, SystemError)

    package var description: String {
        switch self {
        case .pathTooLong(let path, let bytes, let limit):
            "the socket path \(path) has \(bytes) bytes and may have \(limit); choose a shorter one"
        case .socketInUse(let path, let holder):
            "another process\(holder.map { " (\($0))" } ?? "") already serves \(path); stop it or choose another socket"
        case .notASocket(let path):
            "\(path) exists and is not a socket; it was left alone. Move it away or choose another path"
        case .directoryNotPrivate(let path, let owner, let mode):
            "others than you may put files into \(path) (owner \(owner), mode 0\(String(mode, radix: 8))); "
                + "use a directory of your own with mode 0700"
        case .addressInUse(let host, let port):
            "port \(port) of \(host) is in use by another process; stop it or choose another port"
        case .unknownHost(let host):
            "the host \(host) has no address; give one that this machine has"
        case .system(let what, let error):
            "\(what): \(error) (\(error.code))"
        }
    }
}

/// Runs one step of listening. Its error names the step.
func step<Result>(_ what: String, _ body: () throws(SystemError) -> Result) throws(ListenError) -> Result {
    do { return try body() } catch { throw .system(what: what, error) }
}
