import Core
import OrderedJSON
import Services
import Wire

/// The parameters of a prompt.
enum RunPrompt {
    private static let mostBlocks = 100

    /// Reads a prompt: a text, or blocks of text and pictures; nil for none.
    static func field(_ summary: String) -> Field<[PromptBlock]?> {
        let block = Schema.object([
            "type": .choice(["text", "image"]), "text": .string.optional,
            "source": .anyObject.optional.meaning("of an image: `type` base64, `media_type` and `data`"),
        ]).setting("additionalProperties", true)
        return Field("prompt", .oneOf(.string, .list(block)), summary) { arguments throws(JSONRPCError) in
            guard let value = arguments.value("prompt") else { return nil }
            return try blocks(value)
        }
    }

    static let id = Field<String?>.id(
        "prompt_id", "a UUID of the client's; the same one again is not run again, but says what became of it"
    ).map { id throws(JSONRPCError) in
        guard let id else { return UUIDText.random() }
        guard UUIDText.isOne(id) else { throw .invalidParams("\"prompt_id\" must be a UUID in lower case") }
        return id
    }

    private static func blocks(_ value: JSON) throws(JSONRPCError) -> [PromptBlock] {
        let list = value.stringValue.map { [["type": "text", "text": .string($0)]] } ?? value.arrayValue
        guard let list, (1...mostBlocks).contains(list.count) else {
            throw .invalidParams("\"prompt\" must be a text, or a list of 1 to \(mostBlocks) blocks")
        }
        var blocks: [PromptBlock] = []
        for element in list { blocks.append(try block(element)) }
        return try checked(blocks)
    }

    /// Throws for more than a prompt may hold, and for nothing.
    static func checked(_ blocks: [PromptBlock]) throws(JSONRPCError) -> [PromptBlock] {
        guard blocks.count <= mostBlocks else {
            throw .invalidParams("\"prompt\" must be a list of 1 to \(mostBlocks) blocks")
        }
        guard blocks.reduce(0, { $0 + $1.size }) <= SessionPrompt.longest else {
            throw .invalidParams("send a \"prompt\" of at most \(SessionPrompt.longest) bytes")
        }
        guard blocks.contains(where: { $0.size > 0 }) else { throw .invalidParams("\"prompt\" must not be empty") }
        return blocks
    }

    private static func block(_ value: JSON) throws(JSONRPCError) -> PromptBlock {
        if value["type"] == "text", let text = value["text"]?.stringValue { return .text(text) }
        let source = value["source"]
        guard value["type"] == "image", source?["type"] == "base64", let data = source?["data"]?.stringValue,
            let type = source?["media_type"]?.stringValue
        else {
            throw .invalidParams(
                "a block of \"prompt\" must be {\"type\":\"text\",\"text\":…} or {\"type\":\"image\",\"source\":"
                    + "{\"type\":\"base64\",\"media_type\":…,\"data\":…}}")
        }
        return try picture(type, data)
    }

    static func picture(_ type: String, _ data: String) throws(JSONRPCError) -> PromptBlock {
        guard PromptPicture.mediaTypes.contains(type) else {
            throw .invalidParams("an image must be one of \(PromptPicture.mediaTypes.joined(separator: ", "))")
        }
        guard PromptPicture.isBase64(data) else { throw .invalidParams("the \"data\" of an image must be base64") }
        return .image(mediaType: type, data: data)
    }
}
