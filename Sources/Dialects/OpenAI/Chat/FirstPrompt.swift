import Core

/// The first prompt of a session that goes on with a conversation which was had elsewhere. An agent takes no answers as
/// its own that it did not write, so they are put into the prompt, which says so.
enum FirstPrompt {
    /// Bytes of the past that are passed on: about a third of the model's context.
    private static let longest = 256 << 10

    static func blocks(_ messages: ChatMessages, instructions: [String]) -> [PromptBlock] {
        let parts = [said(instructions), history(messages.past)].compactMap(\.self)
        guard !parts.isEmpty else { return messages.prompt }
        let end = "What follows is the message to answer."
        return [.text((parts + [end]).joined(separator: "\n\n"))] + messages.prompt
    }

    private static func said(_ instructions: [String]) -> String? {
        let text = instructions.filter { !$0.isEmpty }.joined(separator: "\n\n")
        guard !text.isEmpty else { return nil }
        return "The program that the user writes with gave these instructions:\n\n\(text)"
    }

    private static func history(_ past: [ChatMessages.Past]) -> String? {
        guard !past.isEmpty else { return nil }
        var kept: [String] = []
        var bytes = 0
        for message in past.reversed() {
            bytes += message.text.utf8.count
            guard bytes <= longest else { break }
            kept.append("[\(message.role)]\n\(message.text)")
        }
        let isWhole = kept.count == past.count
        let lead = "This conversation began elsewhere. Its messages\(isWhole ? "" : ", without the oldest,") were:"
        return ([lead] + kept.reversed()).joined(separator: "\n\n")
    }
}
