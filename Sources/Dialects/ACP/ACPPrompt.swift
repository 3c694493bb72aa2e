import Core
import OrderedJSON
import Wire

/// Reads the content of a prompt.
enum ACPPrompt {
    static let field = Field<[PromptBlock]>(
        "prompt", .list(.anyObject), "blocks of text, pictures, links and files", isRequired: true
    ) { arguments throws(JSONRPCError) in try blocks(arguments.value("prompt")) }

    static func blocks(_ value: JSON?) throws(JSONRPCError) -> [PromptBlock] {
        guard let list = value?.arrayValue else {
            throw .invalidParams("\"prompt\" must be a list of content blocks")
        }
        var blocks: [PromptBlock] = []
        for element in list { blocks.append(try block(element)) }
        return try RunPrompt.checked(blocks)
    }

    private static func block(_ value: JSON) throws(JSONRPCError) -> PromptBlock {
        switch value["type"]?.stringValue {
        case "image": return try picture(value["data"], value["mimeType"])
        case "resource": return try resource(value["resource"])
        case "resource_link":
            guard let uri = value["uri"]?.stringValue else {
                throw .invalidParams("a \"resource_link\" needs a \"uri\"")
            }
            return .text("[@\(value["name"]?.stringValue ?? uri)](\(uri))")
        case "text":
            guard let text = value["text"]?.stringValue else { throw .invalidParams("a \"text\" needs its \"text\"") }
            return .text(text)
        default:
            throw .invalidParams(
                "a block of \"prompt\" must be of the type \"text\", \"image\", \"resource_link\" or \"resource\"")
        }
    }

    /// A file's text stands between marks that name it.
    private static func resource(_ value: JSON?) throws(JSONRPCError) -> PromptBlock {
        guard let uri = value?["uri"]?.stringValue else { throw .invalidParams("a \"resource\" needs a \"uri\"") }
        if let text = value?["text"]?.stringValue { return .text("<context ref=\"\(uri)\">\n\(text)\n</context>") }
        return try picture(value?["blob"], value?["mimeType"])
    }

    private static func picture(_ data: JSON?, _ type: JSON?) throws(JSONRPCError) -> PromptBlock {
        guard let data = data?.stringValue, let type = type?.stringValue else {
            throw .invalidParams("an image needs \"data\" and \"mimeType\"")
        }
        return try RunPrompt.picture(type, data)
    }
}
