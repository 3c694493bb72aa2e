/// A part of the daemon that begins and ends.
package struct Stage: Sendable {
    package let name: String
    fileprivate let begin: @Sendable () async throws(StartError) -> Void
    fileprivate let end: @Sendable () async -> Void

    package init(
        _ name: String, begin: @escaping @Sendable () async throws(StartError) -> Void = {},
        end: @escaping @Sendable () async -> Void = {}
    ) {
        self.name = name
        self.begin = begin
        self.end = end
    }
}

/// Stages that begin in their order and end in the reverse.
package struct Lifecycle: Sendable {
    private let stages: [Stage]

    package init(_ stages: [Stage]) {
        self.stages = stages
    }

    /// Begins all stages. If one fails, those before it are ended, and the later ones do not begin.
    package func begin() async throws(StartError) {
        for (index, stage) in stages.enumerated() {
            do throws(StartError) {
                try await stage.begin()
            } catch {
                await Self.end(stages[..<index])
                throw error
            }
        }
    }

    package func end() async { await Self.end(stages[...]) }

    private static func end(_ stages: ArraySlice<Stage>) async {
        for stage in stages.reversed() { await stage.end() }
    }
}
