import Core
import OrderedJSON

/// The content of a message: a text, or a list of parts.
enum MessageContent {
    /// Reads the content of a message of OpenAI's APIs.
    static func blocks(of message: JSON, at place: String) throws(OpenAIFailure) -> [PromptBlock] {
        let place = "\(place).content"
        // An answer that only calls tools has none.
        if message["content"]?.isNull ?? true, message["role"]?.stringValue == "assistant" { return [] }
        return try blocks(of: message["content"], refusal: refusal(at: place)) { part throws(OpenAIFailure) in
            [try block(part, at: place)]
        }
    }

    /// - Parameters:
    ///   - refusal: What is thrown for a content that is neither a text nor a list.
    ///   - read: Reads one part of a list.
    static func blocks(
        of content: JSON?, refusal: OpenAIFailure, _ read: (JSON) throws(OpenAIFailure) -> [PromptBlock]
    ) throws(OpenAIFailure) -> [PromptBlock] {
        switch content {
        case .string(let text)?: return [.text(text)]
        case .array(let parts)?:
            var blocks: [PromptBlock] = []
            for part in parts { blocks += try read(part) }
            return blocks
        default: throw refusal
        }
    }

    /// The texts; a picture is only named.
    static func text(of blocks: [PromptBlock]) -> String {
        blocks.map { block in
            switch block {
            case .image(let type, _): "[\(type)]"
            case .text(let text): text
            }
        }.joined(separator: "\n")
    }

    /// - Parameter type: `nil` for a picture that is not in base64.
    static func picture(
        _ type: String?, _ data: some StringProtocol, at place: String
    ) throws(OpenAIFailure) -> PromptBlock {
        guard let media = type?.lowercased(), PromptPicture.mediaTypes.contains(media) else {
            throw .invalid(
                "a picture must be base64 of one of \(PromptPicture.mediaTypes.joined(separator: ", "))", param: place)
        }
        guard PromptPicture.isBase64(data) else { throw .invalid("the data of a picture must be base64", param: place) }
        return .image(mediaType: media, data: String(data))
    }

    static func refusal(at place: String) -> OpenAIFailure {
        .invalid("the \"content\" of a message must be a text, or a list of texts and pictures", param: place)
    }

    private static func block(_ part: JSON, at place: String) throws(OpenAIFailure) -> PromptBlock {
        switch part["type"]?.stringValue {
        case "text", "input_text", "output_text":
            guard let text = part["text"]?.stringValue else { throw refusal(at: place) }
            return .text(text)
        case "refusal": return .text(part["refusal"]?.stringValue ?? "")
        case "image_url", "input_image":
            let url = part["image_url"]?.stringValue ?? part["image_url"]?["url"]?.stringValue
            guard let url else { throw refusal(at: place) }
            return try picture(url, at: place)
        default: throw refusal(at: place)
        }
    }

    /// Pictures come as data URLs (RFC 2397): the daemon fetches nothing that a client names.
    private static func picture(_ url: String, at place: String) throws(OpenAIFailure) -> PromptBlock {
        guard url.hasPrefix("data:"), let comma = url.firstIndex(of: ",") else {
            throw .invalid("send a picture as a data URL: data:image/png;base64,…", param: place)
        }
        let type = url[..<comma].dropFirst("data:".count).split(separator: ";", omittingEmptySubsequences: false)
        return try picture(
            type.last == "base64" ? type.first.map(String.init) : nil, url[url.index(after: comma)...], at: place)
    }
}
