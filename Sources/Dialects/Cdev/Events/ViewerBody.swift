import OrderedJSON

/// The clients that look at a session, as others see them.
enum ViewerBody {
    static func joined(_ client: String, _ others: [String], _ names: [String: String]) -> JSONObject {
        var members: JSONObject = [
            "joining_client_id": .string(client), "other_viewers": .array(others.map(JSON.string)),
            "viewer_count": .count(others.count + 1),
        ]
        add(names, to: &members)
        return members
    }

    static func left(_ client: String, _ remaining: [String], _ names: [String: String]) -> JSONObject {
        var members: JSONObject = [
            "leaving_client_id": .string(client), "remaining_viewers": .array(remaining.map(JSON.string)),
            "viewer_count": .count(remaining.count),
        ]
        add(names, to: &members)
        return members
    }

    /// Adds who they are, as far as somebody can tell.
    static func add(_ names: [String: String], to members: inout JSONObject) {
        guard !names.isEmpty else { return }
        var all: JSONObject = [:]
        for (client, name) in names.sorted(by: { $0.key < $1.key }) {
            all[client] = .string(HiddenCharacters.escaped(name))
        }
        members["viewer_names"] = .object(all)
    }
}

extension Schema {
    static let viewerNames = map(of: .string).optional.meaning("id of a client to who it is, as in `resolved_by`")
}
