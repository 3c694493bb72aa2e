import OrderedJSON

/// Follows the transcript of the selected card's session while it is on the screen; without a card, that of the session
/// before, or of the one that was active last.
extension WatchModel {
    /// Returns the effect that brings the transcript on the screen, where another one is wanted.
    mutating func follow() -> [WatchEffect] {
        guard connection == .online, features.transcripts else { return [] }
        let wanted = isTranscriptShown || prompt == .transcript ? transcriptSession : ""
        guard wanted != transcript.session || transcript.isStale && !wanted.isEmpty else { return [] }
        if !wanted.isEmpty { lastFollowed = wanted }
        if wanted == transcript.session {
            transcript.isStale = false
        } else {
            transcript = FollowedTranscript(session: wanted, generation: transcript.generation + 1)
            isAtEnd = true
        }
        return [.follow(session: wanted)]
    }

    private var transcriptSession: String {
        if let selected { return selected.card.sessionID }
        return lastFollowed.isEmpty ? latestSession : lastFollowed
    }

    mutating func openTranscript() -> [WatchEffect] {
        guard features.transcripts else {
            say("this daemon does not show transcripts; after an upgrade, cdev restart")
            return []
        }
        prompt = .transcript
        isAtEnd = true
        return []
    }

    mutating func read(_ session: String, _ news: TranscriptNews) -> [WatchEffect] {
        if session == transcript.session { transcript.take(news) }
        return []
    }

    /// A session without a transcript may have one once it does something.
    mutating func noteActivity(_ name: String, _ params: JSON) -> [WatchEffect] {
        let session = params.text("session_id")
        guard name.hasPrefix("claude_hook_"), !session.isEmpty else { return [] }
        if latestSession.isEmpty { latestSession = session }
        let isAwaited = session == transcript.session && transcript.state == .missing
        return isAwaited && connection == .online ? [.follow(session: session)] : []
    }

    mutating func learnLatest(_ sessions: [JSON]) {
        let running = sessions.filter { $0.text("state") != "ended" && !$0.text("transcript_path").isEmpty }
        // RFC 3339 in UTC sorts as text.
        let latest = running.max { $0.text("last_activity") < $1.text("last_activity") }
        latestSession = latest?.text("session_id") ?? latestSession
    }
}
