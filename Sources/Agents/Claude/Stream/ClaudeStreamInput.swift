package import Core
import OrderedJSON

/// Writes the lines that Claude Code reads with `--input-format stream-json` (2.1.330). It ends at a line that it cannot read, so
/// every byte is made here, and nothing that a client sent is passed on as it came.
extension ChildInput {
    /// The line with its line feed.
    package var claudeLine: [UInt8] { claudeMessage.serializedBytes() + [UInt8(ascii: "\n")] }

    private var claudeMessage: JSON {
        switch self {
        case .answer(let request, let kind, let answer): Self.success(request, answer.claudeAnswer(to: kind))
        case .cancelPrompt(let request, let prompt):
            Self.request(request, ["subtype": "cancel_async_message", "message_uuid": .string(prompt)])
        case .endSession(let request): Self.request(request, ["subtype": "end_session"])
        case .initialize(let request): Self.request(request, ["subtype": "initialize", "hooks": Self.hooks])
        case .interrupt(let request, let cancelsQueued):
            Self.request(request, ["subtype": "interrupt", "cancel_queued": .bool(cancelsQueued)])
        case .listServers(let request): Self.request(request, ["subtype": "mcp_status"])
        case .probe(let request): Self.request(request, ["subtype": "get_binary_version"])
        case .prompt(let id, let blocks): Self.prompt(id, blocks)
        case .rename(let request, let title):
            Self.request(request, ["subtype": "rename_session", "title": .string(title)])
        case .setEffort(let request, let effort):
            Self.request(
                request,
                [
                    "subtype": "apply_flag_settings",
                    "settings": ["effortLevel": effort.map(JSON.string) ?? .null],
                ])
        case .setMode(let request, let mode):
            Self.request(request, ["subtype": "set_permission_mode", "mode": .string(mode.spelling)])
        case .setModel(let request, let model):
            Self.request(request, ["subtype": "set_model", "model": model.map(JSON.string) ?? .null])
        case .refusal(let request):
            [
                "type": "control_response",
                "response": [
                    "subtype": "error", "request_id": .string(request), "error": "cdev does not offer this",
                ],
            ]
        }
    }

    private static func request(_ id: String, _ body: JSON) -> JSON {
        ["type": "control_request", "request_id": .string(id), "request": body]
    }

    private static func success(_ id: String, _ body: JSON) -> JSON {
        [
            "type": "control_response",
            "response": ["subtype": "success", "request_id": .string(id), "response": body],
        ]
    }

    /// Asks us before each call. A call whose question stays without an answer is not run: a day is longer than any
    /// restart of the daemon.
    private static let hooks: JSON = [
        "PreToolUse": [["matcher": nil, "hookCallbackIds": ["cdev"], "timeout": 86400, "onFailure": "block"]]
    ]

    /// A single text is sent as one: only then it may be a slash command.
    private static func prompt(_ id: String, _ blocks: [PromptBlock]) -> JSON {
        var content = JSON.array(blocks.map(\.claudeBlock))
        if blocks.count == 1, case .text(let text) = blocks[0] { content = .string(text) }
        return [
            "type": "user", "message": ["role": "user", "content": content], "uuid": .string(id),
            "parent_tool_use_id": nil, "session_id": "",
        ]
    }
}

extension PromptBlock {
    fileprivate var claudeBlock: JSON {
        switch self {
        case .image(let mediaType, let data):
            [
                "type": "image",
                "source": ["type": "base64", "media_type": .string(mediaType), "data": .string(data)],
            ]
        case .text(let text): ["type": "text", "text": .string(text)]
        }
    }
}

extension HookAnswer {
    fileprivate func claudeAnswer(to kind: ChildRequest.Kind) -> JSON {
        kind == .callback ? body(for: .preToolUse) : permissionAnswer
    }

    /// No terminal stands behind this question, so no opinion is a deny.
    private var permissionAnswer: JSON {
        switch self {
        case .allow(_, let update):
            update.map { ["behavior": "allow", "updatedInput": $0.value] } ?? ["behavior": "allow"]
        case .deny(let message): ["behavior": "deny", "message": .string(Self.sentence(message))]
        case .ask, .changed, .pass:
            ["behavior": "deny", "message": .string(Self.sentence("nobody answered, so the call was not run"))]
        }
    }
}
