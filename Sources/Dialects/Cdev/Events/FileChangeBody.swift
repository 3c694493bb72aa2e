import Core
import OrderedJSON

extension WatchedChange {
    /// The members of `event/file_changed`.
    var listing: JSONObject {
        ["path": .string(path.text), "change": .string(kind.rawValue), "old_path": .text(oldPath?.text)]
    }
}

extension Schema {
    static let fileChange = object([
        "path": .string.meaning("in the workspace"), "change": choice(WatchedChange.Kind.allCases.map(\.rawValue)),
        "old_path": .string.orNull.meaning("the former place of what was renamed"), "session_id": .string,
        "workspace_id": .string, "timestamp": .time,
    ])
}
