import Store

/// Replaces the store's pauses: each lasts until the test ends it.
actor Pauses {
    private(set) var lengths: [Duration] = []
    private var sleepers: [CheckedContinuation<Void, Never>] = []
    private var watchers: [CheckedContinuation<Void, Never>] = []

    func pause(_ length: Duration) async {
        await withCheckedContinuation { sleeper in
            lengths.append(length)
            sleepers.append(sleeper)
            for watcher in watchers { watcher.resume() }
            watchers = []
        }
    }

    /// Waits until the store pauses, and lets it go on.
    func endNext() async {
        while sleepers.isEmpty {
            await withCheckedContinuation { watchers.append($0) }
        }
        sleepers.removeFirst().resume()
    }

    nonisolated var option: @Sendable (Duration) async -> Void {
        { await self.pause($0) }
    }
}
