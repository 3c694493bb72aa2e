import Core
import OrderedJSON
import Services
import Wire

extension ACPSession {
    /// The agent that works, which the app calls a mode.
    func tellProvider() {
        send([
            "session_id": .id(sessionID),
            "update": ["sessionUpdate": "current_mode_update", "current_mode_id": "claude-code"],
        ])
    }

    /// The prompt was answered before it ran, so its failure is told as the agent's words.
    func tellFailure(of prompt: String) {
        Task {
            let end = await end(of: prompt)
            defer { forget(prompt) }
            do throws(JSONRPCError) {
                _ = try answer(to: prompt, end)
            } catch {
                update(ACPMessage.chunk(.agent, ["type": "text", "text": .string(error.message)]))
            }
        }
    }
}

extension ACPOpening {
    /// A session that the phone has not opened on this connection, from now on.
    func followed(_ id: String, for call: Call) async throws(JSONRPCError) -> ACPSession {
        let place: String
        if let session = try? await parts.sessions.session(id) {
            place = session.directory
        } else {
            place = try await directory(of: id)
        }
        let opened = try await goOn(in: id, place, [], for: call, isWhole: false)
        opened.begin()
        await askAgain(opened)
        return opened
    }

    /// That in which a conversation began.
    private func directory(of id: String) async throws(JSONRPCError) -> String {
        guard let place = (try? await parts.transcripts.session(id))?.facts.cwd else { throw ACPFields.unknown(id) }
        return place
    }
}
