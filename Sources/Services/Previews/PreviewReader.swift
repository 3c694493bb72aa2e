package import Core
import Platform

/// Makes previews, each on a thread of its own, so that a disk that hangs delays only the caller of that preview.
package final class PreviewReader: PreviewService {
    private let broker: Broker
    private let evaluator: any RuleEvaluator
    private let files: any FileReader
    private let workspaces: any WorkspaceFinder
    private let clock: any TimeSource
    private let running = Locked(0)

    /// The most threads at a time, including those that hang.
    private static let most = 8
    /// Seconds after which a preview says that it took too long.
    private static let patience: Double = 3

    package init(
        broker: Broker, evaluator: any RuleEvaluator, files: any FileReader, workspaces: any WorkspaceFinder,
        clock: any TimeSource
    ) {
        self.workspaces = workspaces
        self.broker = broker
        self.evaluator = evaluator
        self.files = files
        self.clock = clock
    }

    package func preview(requestID: String) async -> PreviewOutcome {
        guard let held = await broker.heldRequest(id: requestID) else { return .unknown }
        let request = held.request
        let nothing = PreviewOutcome.nothing(tool: request.toolName)
        // Parsed once, here: this runs on the thread for slow methods, not on the loop.
        let input = request.toolInput
        let late = FileChange(tool: request.tool, input: input).map {
            PreviewOutcome.preview(.text(path: $0.path, text: $0.newText, .late))
        }
        let place = await place(of: held)
        let made = await make { [evaluator, files] in
            FilePreview.make(of: request, input: input, at: place, evaluator: evaluator, files: files)
                .map { .preview($0) } ?? nothing
        }
        return made ?? late ?? nothing
    }

    /// The place below which a file may be read for the call; `nil` if there is none. A session that only devices told of
    /// may name any directory as its root: of those, what lies in a workspace is shown.
    private func place(of held: HeldCall) async -> RulePlace? {
        guard !held.isOfThisMachine else { return held.place }
        let cwd = held.place.cwd
        guard let workspace = await workspaces.workspace(holding: cwd) else { return nil }
        return RulePlace(root: workspace.path, cwd: cwd, shell: held.place.shell)
    }

    /// Nil if it took too long, or too many previews are being made.
    private func make(_ body: @escaping @Sendable () -> PreviewOutcome) async -> PreviewOutcome? {
        guard begin() else { return nil }
        return await withCheckedContinuation { continuation in
            let answer = FirstAnswer<PreviewOutcome?>(continuation)
            let timer = clock.call(at: clock.uptime + Self.patience) { answer.give(nil) }
            let end: @Sendable (PreviewOutcome?) -> Void = { [running] outcome in
                running.withLock { $0 -= 1 }
                timer.cancel()
                answer.give(outcome)
            }
            do {
                try DetachedThread.start("cdev-preview") { end(body()) }
            } catch {
                end(nil)
            }
        }
    }

    private func begin() -> Bool {
        running.withLock { running in
            guard running < Self.most else { return false }
            running += 1
            return true
        }
    }
}
