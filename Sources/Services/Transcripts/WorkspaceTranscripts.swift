package import Core

/// The transcripts of workspaces, for lists of workspaces.
package struct WorkspaceTranscripts: WorkspaceHistory {
    private let transcripts: TranscriptManager

    package init(_ transcripts: TranscriptManager) {
        self.transcripts = transcripts
    }

    package func sessions(in workspace: Workspace, atMost limit: Int) async -> [HistoricalSession] {
        let found = try? await transcripts.history(workspace: workspace.id, limit: limit, offset: 0)
        return (found?.sessions ?? []).map {
            HistoricalSession(
                id: $0.sessionID, summary: $0.facts.title, messages: Int($0.facts.messages),
                lastUpdated: $0.facts.lastTime ?? workspace.createdAt)
        }
    }

    package func watchedSession(in workspace: Workspace) async -> String? {
        await transcripts.watches().last { $0.workspaceID == workspace.id }?.sessionID
    }

    package func activeSession(in workspace: Workspace) async -> String? {
        await transcripts.shown().last { $0.workspaceID == workspace.id }?.sessionID
    }
}
