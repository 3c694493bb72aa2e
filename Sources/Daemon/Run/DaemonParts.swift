import Agents
package import Core
package import Host
package import Services
package import Store
package import Transport

/// The parts and limits that a test replaces.
package struct DaemonParts: Sendable {
    package var evaluator: any RuleEvaluator
    package var claudeRules: any ClaudeRules
    /// Nil for none.
    package var transcripts: (any TranscriptSource)?
    package var processes = ProcessTable(listed: ListedAgents.startTime)
    package var limits = ServerLimits()
    package var eventLimits = EventQueueLimits()
    package var storeOptions = StoreOptions()
    /// Nil for the machine's clock.
    package var clock: (any TimeSource)?
    package var echoesLog = false
    /// Returns true if every file system on the way to a path is this machine's own: the kernel reports all its changes.
    package var answersPromptly: @Sendable (String) -> Bool = { DiskPaths.answersPromptly(at: $0) }

    /// The most paths that the kernel is asked to watch; the others are checked every second.
    package var mostWatched = 1000

    package init(evaluator: any RuleEvaluator, claudeRules: any ClaudeRules) {
        self.evaluator = evaluator
        self.claudeRules = claudeRules
    }
}
