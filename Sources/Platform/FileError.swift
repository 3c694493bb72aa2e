/// The reason why a file could not be read or written.
package enum FileError: Error, Hashable, CustomStringConvertible {
    /// Nothing was changed. `operation` is a verb: "read", "write", "keep the owner of".
    case failed(operation: String, path: String, reason: SystemError)
    /// A symbolic link to a file that does not exist.
    case leadsNowhere(path: String)
    /// A directory, a device, a pipe or a socket.
    case notRegular(path: String)
    /// `limit` in bytes.
    case tooLarge(path: String, limit: Int)
    /// The change is made, but the disk has not confirmed it.
    case notDurable(path: String, reason: SystemError)

    package var description: String { sentence(about: path) }

    /// The description for a text that has named the file.
    package var reason: String { sentence(about: "it") }

    private var path: String {
        switch self {
        case .failed(_, let path, _), .leadsNowhere(let path), .notRegular(let path), .tooLarge(let path, _),
            .notDurable(let path, _):
            path
        }
    }

    private func sentence(about file: String) -> String {
        switch self {
        case .failed(let operation, _, let reason): "cannot \(operation) \(file): \(reason)"
        case .leadsNowhere: "\(file) is a link to a file that does not exist"
        case .notRegular: "\(file) is not a regular file"
        case .tooLarge(_, let limit): "\(file) is larger than \(limit) bytes"
        case .notDurable(_, let reason): "\(file) was changed, but a power cut now may undo that: \(reason)"
        }
    }
}
