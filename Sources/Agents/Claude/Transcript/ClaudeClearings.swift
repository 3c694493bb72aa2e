import Core
import Glibc
import OrderedJSON
import Platform
import Text

/// Reads which sessions were cleared at a terminal: `history.jsonl` in Claude Code's configuration directory has each
/// line that was typed, with the session's id. The cleared session's own transcript does not tell it (2.1.329).
enum ClaudeClearings {
    /// Bytes that are read at a time; of a longer file only its end counts.
    private static let most: Int64 = 8 << 20
    /// `/clear` and its other names.
    private static let commands: Set<String> = ["/clear", "/new", "/reset"]

    static func part(of path: String, from mark: SessionClearings.Mark?) -> SessionClearings? {
        OwnFile.with(path) { file in
            var status = stat()
            guard fstat(file, &status) == 0 else { return nil }
            let (inode, size) = (UInt64(status.st_ino), Int64(status.st_size))
            let known = mark.map { $0.inode == inode && $0.end <= size ? $0.end : 0 } ?? 0
            let start = max(known, size - most)
            guard size > known,
                let bytes = FileBytes.contents(of: file, from: Int(start), size: Int(size - start)),
                let last = bytes.lastIndex(of: 0x0A)
            else { return nil }
            let found = bytes[..<last].split(separator: 0x0A).compactMap { clearing(Array($0)) }
            return SessionClearings(found: found, mark: .init(inode: inode, end: start + Int64(last) + 1))
        }
    }

    /// `{"display":"/clear","timestamp":MILLISECONDS,"sessionId":"…",…}`
    private static func clearing(_ line: [UInt8]) -> SessionClearings.Clearing? {
        guard commands.contains(where: { line.firstPlace(of: Array("\"\($0)".utf8)) != nil }),
            let entry = try? JSON(parsing: line), let session = entry["sessionId"]?.stringValue,
            let time = entry["timestamp"]?.intValue, let typed = entry["display"]?.stringValue,
            commands.contains(String(typed.prefix { $0 != " " }))
        else { return nil }
        return SessionClearings.Clearing(sessionID: session, at: Timestamp(milliseconds: Int64(time)))
    }
}
