/// Tells of changes of files.
package protocol FileChanges: Sendable {
    /// Calls `handler` when the file is watched, and then whenever it changed; it may have changed less often.
    func watch(_ path: String, handler: @escaping @Sendable () -> Void) -> any Cancellable
    /// The same for the files in a directory, which need not be there yet.
    func watch(filesIn directory: String, handler: @escaping @Sendable () -> Void) -> any Cancellable
}

/// A part of the daemon that is told when a connection ends.
package protocol ClientListener: Sendable {
    func clientLeft(_ id: String) async
}
