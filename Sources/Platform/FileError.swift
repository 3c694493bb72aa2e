/// The reason why a file could not be read or written.
package enum FileError: Error, Hashable, CustomStringConvertible {
    /// Nothing was changed. `operation` is a verb: "read", "write", "keep the owner of".
    case failed(operation: String, path: String, reason: SystemError)
    /// A directory, a device, a pipe or a socket.
    case notRegular(path: String)
    /// `limit` in bytes.
    case tooLarge(path: String, limit: Int)
    /// The change is made, but the disk has not confirmed it.
    case notDurable(path: String, reason: SystemError)

    package var description: String {
        switch self {
        case .failed(let operation, let path, let reason): "cannot \(operation) \(path): \(reason)"
        case .notRegular(let path): "\(path) is not a regular file"
        case .tooLarge(let path, let limit): "\(path) is larger than \(limit) bytes"
        case .notDurable(let path, let reason): "\(path) was changed, but a power cut now may undo that: \(reason)"
        }
    }
}
