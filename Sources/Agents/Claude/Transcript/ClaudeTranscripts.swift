package import Core
import Glibc
import OrderedJSON
import Platform

/// The transcripts below Claude Code's configuration directory: `projects/SLUG/SESSION.jsonl`, and of subagents
/// `projects/SLUG/SESSION/subagents/agent-ID.jsonl`. Only regular files of ours that no link leads to are read.
package struct ClaudeTranscripts: TranscriptSource {
    private let root: String
    private let typed: String

    /// Bytes of a line that is read as a message; of a longer one only its beginning counts, for the index.
    private static let longestLine = 16 << 20

    /// - Parameter directory: Claude's configuration directory.
    package init(directory: String) {
        root = directory + "/projects"
        typed = directory + "/history.jsonl"
    }

    package func files() -> [TranscriptFile] {
        DirectoryNames.of(root).flatMap { project in
            let directory = "\(root)/\(project)"
            return DirectoryNames.of(directory).flatMap { name -> [TranscriptFile] in
                if let session = Self.session(name) { return own(directory, session).map { [$0] } ?? [] }
                return subagents(directory, name)
            }
        }.sorted { $0.stamp.modified > $1.stamp.modified }
    }

    package func files(of sessionID: String) -> [TranscriptFile] {
        // Part of a path, so it must not lead anywhere else.
        guard Self.isPlain(sessionID[...]) else { return [] }
        return DirectoryNames.of(root).flatMap { project in
            let directory = "\(root)/\(project)"
            return (own(directory, sessionID).map { [$0] } ?? []) + subagents(directory, sessionID)
        }
    }

    private func own(_ directory: String, _ session: String) -> TranscriptFile? {
        let path = "\(directory)/\(session).jsonl"
        return Self.stamp(path).map { TranscriptFile(path: path, sessionID: session, agentID: nil, stamp: $0) }
    }

    private func subagents(_ directory: String, _ session: String) -> [TranscriptFile] {
        guard Self.isPlain(session[...]) else { return [] }
        let directory = "\(directory)/\(session)/subagents"
        return DirectoryNames.of(directory).compactMap { name in
            guard name.hasPrefix("agent-"), let agent = Self.session(String(name.dropFirst(6))) else { return nil }
            let path = "\(directory)/\(name)"
            return Self.stamp(path).map { TranscriptFile(path: path, sessionID: session, agentID: agent, stamp: $0) }
        }
    }

    /// The id in a file's name; `nil` for a file that is no transcript.
    private static func session(_ name: String) -> String? {
        guard name.hasSuffix(".jsonl"), case let id = name.dropLast(6), isPlain(id) else { return nil }
        return String(id)
    }

    private static func isPlain(_ name: Substring) -> Bool {
        !name.isEmpty && name.utf8.count <= 200
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private static func stamp(_ path: String) -> TranscriptFile.Stamp? {
        var status = stat()
        guard lstat(path, &status) == 0, status.isOurs else { return nil }
        return TranscriptFile.Stamp(
            inode: UInt64(status.st_ino), size: Int64(status.st_size),
            modified: FileTime.nanoseconds(status.st_mtim))
    }
}

extension ClaudeTranscripts {
    package func part(of path: String, from offset: Int64, limit: Int) -> TranscriptPart? {
        OwnFile.with(path) { file in
            var reader = ClaudePartReader(file, from: offset, limit: limit, longestLine: Self.longestLine)
            return reader.read()
        }
    }

    package func seal(of path: String, upTo offset: Int64, headLength: Int64) -> TranscriptPart.Seal? {
        OwnFile.with(path) { FileSeal.of($0, upTo: offset, headLength: headLength) }
    }

    package func messages(_ places: [TranscriptPlace], of path: String) -> [TranscriptMessage] {
        OwnFile.with(path) { file in
            var reader = ClaudeMessageReader()
            var messages: [TranscriptMessage] = []
            for place in places {
                switch Self.read(place, of: file, &reader) {
                case .message(var message):
                    message.number = place.number
                    messages.append(message)
                case .noMessage: break
                case .noRoom: return messages
                }
            }
            return messages
        } ?? []
    }

    private static func read(
        _ place: TranscriptPlace, of file: Int32, _ reader: inout ClaudeMessageReader
    ) -> ClaudeMessageReader.Outcome {
        let isTooLong = place.length > longestLine
        // The beginning of a line that is too long says what it is.
        let length = isTooLong ? 64 << 10 : place.length
        guard let bytes = FileBytes.contents(of: file, from: Int(place.offset), size: length) else { return .noMessage }
        guard isTooLong else { return reader.read(bytes) }
        var parser = ClaudeLineParser()
        return .message(ClaudeMessageReader.leftOut(parser.read(bytes), bytes: place.length))
    }

    package func texts(_ places: [TranscriptPlace], of path: String) -> [TranscriptLine?] {
        OwnFile.with(path) { file in
            var parser = ClaudeLineParser()
            return places.map { place in
                FileBytes.contents(of: file, from: Int(place.offset), size: min(place.length, Self.longestLine))
                    .map { parser.read($0) }
            }
        } ?? places.map { _ in nil }
    }

    package func clearings(after mark: SessionClearings.Mark?) -> SessionClearings? {
        ClaudeClearings.part(of: typed, from: mark)
    }

    package func subagentDirectory(of path: String) -> String { path.dropLast(".jsonl".count) + "/subagents" }

    package func note(ofSubagent path: String) -> SubagentNote? {
        let path = path.dropLast(".jsonl".count) + ".meta.json"
        guard let bytes = FileBytes.read(String(path), limit: 64 << 10), let note = try? JSON(parsing: bytes),
            let call = note["toolUseId"]?.stringValue
        else { return nil }
        return SubagentNote(
            toolUseID: call, type: note["agentType"]?.stringValue ?? "",
            summary: note["description"]?.stringValue ?? "")
    }
}

extension stat {
    /// True for a regular file that belongs to this user.
    fileprivate var isOurs: Bool { st_mode & S_IFMT == S_IFREG && st_uid == geteuid() }
}

/// Opens regular files of ours that are no links.
enum OwnFile {
    static func with<Value>(_ path: String, _ body: (Int32) -> Value?) -> Value? {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.isOurs else { return nil }
        return body(file)
    }
}

/// The names in a directory; none of a link to one.
private enum DirectoryNames {
    static func of(_ path: String) -> [String] {
        let file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return [] }
        guard let directory = fdopendir(file) else {
            close(file)
            return []
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
