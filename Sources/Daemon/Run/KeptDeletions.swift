import Core
import OrderedJSON
import Platform
import Services

/// Keeps in a file which conversations were deleted.
final class KeptDeletions: DeletedConversations {
    private let path: String
    private let lane = WorkLane(threads: 1, mostWeight: 64)
    private let kept: Locked<[String: Timestamp]>

    /// The last deletions that are kept. Claude Code itself deletes transcripts after a month.
    private static let most = 10_000

    /// - Parameter home: `$CDEV_HOME`.
    init(home: String) {
        path = home + "/deleted-conversations.json"
        // What cannot be read hides nothing: a list with too much is better than one with too little.
        let bytes = FileBytes.read(path, limit: 4 << 20) ?? []
        let found = (try? JSON(parsing: bytes))?.objectValue ?? [:]
        let times = found.compactMap { id, time in
            time.intValue.map { (id, Timestamp(milliseconds: Int64($0))) }
        }
        kept = Locked(Dictionary(times) { $1 })
    }

    var times: [String: Timestamp] { kept.withLock { $0 } }

    func add(_ conversation: String, at time: Timestamp) async throws {
        // One after the other: each file has what the one before had.
        let written = await lane.run(weight: 1) { [self] in
            Result {
                var all = times
                all[conversation] = time
                let last = all.sorted { $0.value < $1.value }.suffix(Self.most)
                let numbers = last.map { ($0.key, JSON.number(JSONNumber(Int($0.value.milliseconds)))) }
                let text = JSON.object(JSONObject(numbers)).serialized() + "\n"
                try AtomicFile.replace(path, with: Array(text.utf8))
                kept.withLock { $0 = Dictionary(uniqueKeysWithValues: last.map { ($0.key, $0.value) }) }
            }
        }
        guard let written else { throw Busy() }
        try written.get()
    }

    private struct Busy: Error, CustomStringConvertible {
        let description = "too many deletions wait for the disk"
    }
}
