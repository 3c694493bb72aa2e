import Wire

/// The two forms of the response: server-sent events, and one object.
extension ChatTurn {
    /// The head goes out at once, so that a client waits for as long as it takes; failures then come as an event.
    func streamed(_ pending: any PendingResponse) -> HTTPResponse {
        pending.stream { content in
            await writeEvents(to: content, pending)
        }
        return .serverSentEvents
    }

    private func writeEvents(to content: any ContentStream, _ pending: any PendingResponse) async {
        var writer = writer
        // A client that has left already is noticed below.
        _ = await content.write(writer.begin())
        var (written, hasText) = ("", false)
        let outcome = await follow(via: pending) { step in
            switch step {
            case .quiet(let isAsking): return await content.write(writer.wait(isAsking: isAsking))
            case .card, .text:
                let text = step.text(behind: written)
                if case .text = step { hasText = true }
                written += text
                return await content.write(writer.add(text))
            }
        }
        // Before the end is sent, because the next prompt may come at once.
        await close(outcome, written)
        guard case .ended(let end) = outcome else { return }
        if end.failure == nil, case let text = end.addition(to: hasText ? written : ""), !text.isEmpty {
            written += text
            _ = await content.write(writer.add(text))
        }
        _ = await content.write(writer.end(end, behind: written))
    }

    /// Seconds for which the status of a response in one piece waits for the turn. Behind that the head goes out, and
    /// spaces before the object, which JSON ignores: a client that heard nothing would send its request again.
    private static let statusSeconds: Double = 30

    func whole(_ pending: any PendingResponse) async -> HTTPResponse {
        var text = ""
        let outcome = await follow(via: pending, for: Self.statusSeconds) { step in
            if case .text(let more) = step { text += more }
            return true
        }
        switch outcome {
        case .ended(let end):
            await close(outcome, text)
            if let failure = end.failure { return shape.response(failure) }
            return .json(writer.whole(end.text(behind: text), end))
        case .left:
            await close(outcome, text)
            return shape.response(.conflict("left", "the client has left"))
        case .late: return spaced(text, pending)
        }
    }

    private func spaced(_ beginning: String, _ pending: any PendingResponse) -> HTTPResponse {
        pending.stream { content in
            var text = beginning
            let outcome = await follow(via: pending) { step in
                switch step {
                case .card: return true
                case .quiet: return await content.write([UInt8(ascii: " ")])
                case .text(let more):
                    text += more
                    return true
                }
            }
            await close(outcome, text)
            if case .ended(let end) = outcome {
                _ = await content.write(writer.whole(end.text(behind: text), end).serializedBytes())
            }
        }
        return HTTPResponse(.ok, headers: ["Content-Type": "application/json"])
    }
}

extension HTTPResponse {
    /// The head of server-sent events.
    static let serverSentEvents = HTTPResponse(
        .ok,
        headers: [
            "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store",
            // A proxy (nginx) that collected the events would hold them back.
            "X-Accel-Buffering": "no",
        ])
}

extension ChatTurn.Step {
    /// The text that a client is sent in a stream.
    fileprivate func text(behind written: String) -> String {
        switch self {
        case .card(let url): (written.isEmpty ? "" : "\n\n") + "Waiting for an approval: \(url)\n\n"
        case .quiet: ""
        case .text(let text): text
        }
    }
}
