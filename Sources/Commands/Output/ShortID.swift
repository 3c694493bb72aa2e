/// Ids as people type them: beginnings that tell them apart.
package enum ShortID {
    /// Characters after `r_` and the like that are always shown.
    private static let least = 6
    /// Candidates that a message names.
    private static let mostCandidates = 5

    /// The shortest beginning of `id` that no other of `ids` has.
    package static func text(_ id: String, among ids: [String]) -> String {
        var length = id.count - bare(id).count + least
        while length < id.count, ids.contains(where: { $0 != id && $0.hasPrefix(id.prefix(length)) }) { length += 1 }
        return String(id.prefix(length))
    }

    /// The only id that `typed` names: whole, or by its beginning, with or without its `r_`; `nil` if none has it.
    /// - Parameters:
    ///   - ids: Each with words about it, for the message that names candidates.
    ///   - kind: A plural for that message, such as "open requests".
    package static func find(
        _ typed: String, among ids: [(id: String, about: String)], _ kind: String
    ) throws(CommandFailure) -> String? {
        guard !typed.isEmpty else { throw CommandFailure(.usage, "the id is empty; give the beginning of one") }
        if ids.contains(where: { $0.id == typed }) { return typed }
        let found = ids.filter { $0.id.hasPrefix(typed) || bare($0.id).hasPrefix(typed) }
        guard found.count > 1 else { return found.first?.id }
        throw CommandFailure(
            .usage, "\(typed.shown(60)) could be any of \(found.count) \(kind): \(list(found)); give more of the id")
    }

    /// The ids, short, each with the words about it.
    package static func list(_ ids: [(id: String, about: String)]) -> String {
        let all = ids.map(\.id)
        let named = ids.prefix(mostCandidates).map { one in
            text(one.id, among: all) + (one.about.isEmpty ? "" : " (\(one.about))")
        }
        return (named + (ids.count > mostCandidates ? ["…"] : [])).joined(separator: ", ")
    }

    /// The id without `r_`, `rule_`, `ws-` and the like.
    private static func bare(_ id: String) -> Substring {
        if id.hasPrefix("ws-") { return id.dropFirst(3) }
        return id.firstIndex(of: "_").map { id[id.index(after: $0)...] } ?? id[...]
    }
}
