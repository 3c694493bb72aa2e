import CPlatform

/// The watches that a number of paths need, and what the kernel tells of them. Every function waits for the disk.
final class WatchedPaths: @unchecked Sendable {  // guard: used by the work of one lane with one thread only
    /// The paths, by number, of which something changed, each with the reason why later changes may go unnoticed.
    typealias Told = [Int: FileWatchError?]

    /// A negative error number where the kernel gave none.
    let queue: Int32
    private var trails: [Int: PathTrail] = [:]
    /// The paths, by number, that need each watch. A watch that no path needs is removed.
    private var users: [Int32: Set<Int>] = [:]
    private var isClosed = false

    /// 16 KiB are read at a time, so this is more than the kernel's queue holds by default (16,384 changes). The rest
    /// stays for the next turn.
    private static let mostReads = 512

    init() {
        queue = cplatform_watch_open()
    }

    deinit {
        close()
    }

    func close() {
        guard !isClosed, queue >= 0 else { return }
        isClosed = true
        for number in Array(trails.keys) { remove(number) }
        cplatform_close(queue)
    }

    func add(_ number: Int, _ path: String, _ scope: FileWatch.Scope) -> Told {
        guard queue >= 0 else { return [number: FileWatchError(-queue, at: path)] }
        return [number: follow(number, path, scope)]
    }

    func remove(_ number: Int) {
        if let trail = trails.removeValue(forKey: number) { release(trail.watches, number) }
    }

    /// Walks along all paths again.
    func renewed() -> Told { followed(Set(trails.keys)) }

    /// Takes what the kernel has told since the last call, and walks again along the paths that it concerns.
    func changed() -> Told {
        let events = Batch.read(queue, atMost: Self.mostReads)
        guard !events.areIncomplete else { return renewed() }
        return followed(
            events.all.reduce(into: []) { numbers, event in
                numbers.formUnion((users[event.watch] ?? []).filter { trails[$0]?.isChanged(by: event) == true })
            })
    }

    private func followed(_ numbers: Set<Int>) -> Told {
        var told: Told = [:]
        for number in numbers {
            guard let trail = trails[number] else { continue }
            told[number] = .some(follow(number, trail.path, trail.scope))
        }
        return told
    }

    /// The new way is watched before the watches of the old one are given up: those of both stay as they are.
    private func follow(_ number: Int, _ path: String, _ scope: FileWatch.Scope) -> FileWatchError? {
        let trail = PathTrail(to: path, scope, queue: queue)
        let old = trails.updateValue(trail, forKey: number)?.watches ?? []
        let new = trail.watches
        for watch in new { users[watch, default: []].insert(number) }
        release(old.subtracting(new), number)
        return trail.problem
    }

    private func release(_ watches: Set<Int32>, _ number: Int) {
        for watch in watches {
            users[watch]?.remove(number)
            guard users[watch]?.isEmpty == true else { continue }
            users[watch] = nil
            cplatform_watch_remove(queue, watch)
        }
    }
}

/// The changes that a queue held, each once.
private final class Batch {
    private(set) var all: Set<PathTrail.Step> = []
    /// The kernel dropped changes.
    private(set) var areIncomplete = false

    static func read(_ queue: Int32, atMost most: Int) -> Batch {
        let batch = Batch()
        let context = Unmanaged.passUnretained(batch).toOpaque()
        for _ in 0..<most {
            let result = cplatform_watch_read(
                queue, { Unmanaged<Batch>.fromOpaque($0!).takeUnretainedValue().add($1, $2) }, context)
            if result <= 0 { break }
        }
        return batch
    }

    private func add(_ watch: Int32, _ name: UnsafePointer<CChar>?) {
        if watch < 0 { areIncomplete = true }
        all.insert(PathTrail.Step(watch: watch, name: name.map { String(cString: $0) } ?? ""))
    }
}
