package import Core
import Platform

/// Hears of tools that may have written files: the kernel tells of git's own directory only, and a watch of each directory of
/// a work tree would need more than the system has.
package final class ToolWrites: EventListener {
    private let told = Locked<(@Sendable (String) -> Void)?>(nil)

    package init() {}

    /// - Parameter noteWrite: Gets the id of the workspace. Called on the loop; never waits.
    package func tell(_ noteWrite: @escaping @Sendable (String) -> Void) {
        told.withLock { $0 = noteWrite }
    }

    package func heard(_ event: PublishedEvent) {
        guard let workspace = event.workspaceID, !workspace.isEmpty, event.tellsOfWriting else { return }
        told.withLock { $0 }?(workspace)
    }
}

extension PublishedEvent {
    fileprivate var tellsOfWriting: Bool {
        switch self {
        case .record(let record):
            // A tool that failed may have written before.
            guard case .toolEnd(let run, _, _, _) = record.body else { return false }
            return run.tool.kind == .fileChanges || run.tool.kind == .shellCommand
        case .live(let event):
            // In a run session, a tool's result is a message of the user.
            guard case .run(.message(let message, _)) = event.body else { return false }
            return message.kind == .user
        }
    }
}
