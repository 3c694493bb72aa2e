/// The view of a call that an approver gets beyond its input.
package enum Preview: Sendable, Hashable {
    /// The change of the file on the disk. `path` is as Claude wrote it.
    case diff(path: String, LineDiff)
    /// The text of a plan, in Markdown.
    case plan(String)
    /// The new text alone, with the reason for which there is no difference; `path` as above.
    case text(path: String, text: String, PreviewRefusal)
}

/// The reasons for which there is no difference. The descriptions are for the person who sees the card.
package enum PreviewRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    case anotherHome
    case cellMissing(String)
    case elsewhere
    case emptyPlan
    case exists
    case large(bytes: Int)
    case late
    case missing
    case moved
    case notFound(edit: Int, of: Int)
    case notNotebook
    case notRegular
    case notText
    case notUnderstood
    case notUnique(edit: Int, of: Int, count: Int)
    case outside
    case sensitive
    case tooMuch
    case uncertain
    case unknownRoot
    case unreadable(String)
    case unverified

    package var description: String {
        switch self {
        case .anotherHome: "the file is in somebody else's home directory"
        case .cellMissing(let id): "the notebook has no cell \(id.prefix(80)); the edit will fail"
        case .elsewhere:
            "a device sent this call, and its directory lies in no workspace of this machine, so no file is read for it"
        case .emptyPlan: "Claude sent no plan with the request"
        case .exists: "old_string is empty, but the file exists and is not; the edit will fail"
        case .large(let bytes): "the file is over \(bytes >> 20) MiB"
        case .late: "the file could not be read in time"
        case .missing: "there is no such file; the edit will fail"
        case .moved: "the file was replaced while it was being opened"
        case .notFound(let edit, let count): "\(Self.name(edit, count)) is not in the file; the edit will fail"
        case .notNotebook: "the file is no notebook"
        case .notRegular: "it is no regular file"
        case .notText: "the file is not UTF-8 text"
        case .notUnderstood: "the call holds more, or less, than is understood"
        case .notUnique(let edit, let count, let found):
            "\(Self.name(edit, count)) is in the file \(found) times, and not all are to be replaced; the edit will fail"
        case .outside: "the file is not under the session's root"
        case .sensitive: "files of this name are not shown"
        case .tooMuch: "the change is too large to be shown line by line"
        case .uncertain: "it cannot be told where the path leads"
        case .unknownRoot: "the session's root is not known"
        case .unreadable(let why): "the file could not be read (\(why))"
        case .unverified: "any process of this machine could have sent this call, so no file is read for it"
        }
    }

    private static func name(_ edit: Int, _ count: Int) -> String {
        count == 1 ? "its old_string" : "old_string of edit \(edit + 1)"
    }
}
