import Core
import Dialects
import OrderedJSON
import Services
import Testing

@Suite struct PreviewMethodTests {
    private func shown(_ outcome: PreviewOutcome, _ client: FakeClient = FakeClient()) async throws -> JSON? {
        let daemon = FakeDaemon()
        await daemon.set { $0.preview = outcome }
        return try await answer(call("permission/preview", ["request_id": "r_1"]), daemon, client)
    }

    private func diff(_ old: String, _ new: String) -> PreviewOutcome {
        .preview(
            .diff(path: "/p/a\u{202E}", LineDiff(from: Array(old.utf8), to: Array(new.utf8), limit: 2 << 20)))
    }

    @Test func showsADifference() async throws {
        let result = try await shown(diff("a\nb\u{200B}\n", "a\nc\r"))?["result"]
        let expected: JSON = [
            "kind": "diff", "path": "/p/a\\u{202E}",
            "hunks": [
                [
                    "old_start": 1, "new_start": 1,
                    "lines": [
                        ["op": " ", "text": "a"], ["op": "-", "text": "b\\u{200B}"],
                        ["op": "+", "text": "c\\u{000D}", "no_newline": true],
                    ],
                ]
            ],
            "added": 1, "removed": 1, "more": 0, "request_id": "r_1",
        ]
        #expect(result == expected)
    }

    static let large: [(String, String)] = [
        ((0..<100_000).map { "line \($0)\n" }.joined(), ""), ("", String(repeating: "x", count: 1_000_000)),
        (String(repeating: "\u{202E}\n", count: 100_000), "x"), (String(repeating: "\"\\\n", count: 200_000), "\n"),
    ]

    @Test(.timeLimit(.minutes(1)), arguments: large.indices) func fitsAFrame(index: Int) async throws {
        let (old, new) = Self.large[index]
        let reply = try #require(try await shown(diff(old, new)))
        #expect(reply.serialized().utf8.count <= 1 << 20)
        let result = try #require(reply["result"])
        let lines = result["hunks"]?.arrayValue?.flatMap { $0["lines"]?.arrayValue ?? [] } ?? []
        let count = lines.count + (result["more"]?.intValue ?? 0)
        #expect(count == (result["added"]?.intValue ?? 0) + (result["removed"]?.intValue ?? 0))
        #expect(lines.allSatisfy { ($0["text"]?.stringValue?.utf8.count ?? 0) <= 16_384 })
        if index == 1 { #expect(lines.first?["length"] == 1_000_000) }
    }

    @Test func saysWhyThereIsNone() async throws {
        let text = String(repeating: "x\u{202E}", count: 200_000)
        let reply = try #require(try await shown(.preview(.text(path: "/p/.env", text: text, .sensitive))))
        let result = try #require(reply["result"])
        #expect(reply.serialized().utf8.count <= 1 << 20)
        #expect(result["kind"] == "text" && result["reason"]?.stringValue?.isEmpty == false)
        #expect(result["text"]?.stringValue?.hasPrefix("x\\u{202E}x") == true)
        #expect(result["truncated"]?["$.text"]?.intValue ?? 0 > 1 << 20)
    }

    @Test func laysOutAPlan() async throws {
        let result = try await shown(.preview(.plan("# A\u{202E}\n\n2. [b](http://c\u{200B})\n\n```sh\nx\n```")))?[
            "result"]
        let expected: JSON = [
            "kind": "plan",
            "document": [
                "type": "document",
                "children": [
                    ["type": "heading", "level": 1, "children": [["type": "text", "text": "A\\u{202E}"]]],
                    [
                        "type": "list", "ordered": true, "start": 2,
                        "children": [
                            [
                                "type": "item",
                                "children": [
                                    [
                                        "type": "paragraph",
                                        "children": [
                                            [
                                                "type": "link", "url": "http://c\\u{200B}",
                                                "children": [["type": "text", "text": "b"]],
                                            ]
                                        ],
                                    ]
                                ],
                            ]
                        ],
                    ],
                    ["type": "code_block", "text": "x\n", "info": "sh"],
                ],
            ],
            "request_id": "r_1",
        ]
        #expect(result == expected, "\(result?.serialized() ?? "")")
    }

    @Test(arguments: [String(repeating: "a", count: 300_000), String(repeating: "a\n\n", count: 30_000)])
    func showsAPlanThatIsTooLargeAsText(plan: String) async throws {
        let result = try await shown(.preview(.plan(plan)))?["result"]
        #expect(result?["kind"] == "text" && result?["text"]?.stringValue == plan)
        #expect(result?["reason"]?.stringValue?.contains("large") == true)
    }

    @Test func deepPlansAreReadableJSON() async throws {
        let reply = try await shown(.preview(.plan(String(repeating: "> ", count: 1000) + "x")))
        #expect(reply?["result"]?["document"]?.serialized().contains("\"x") == true)
    }

    @Test func refusesWhatItDoesNotKnow() async throws {
        #expect(try await shown(.unknown)?["error"]?["code"] == -32603)
        #expect(try await shown(.nothing(tool: "Bash"))?["error"]?["code"] == -32602)
        let none = try await answer(call("permission/preview"), FakeDaemon())
        #expect(none?["error"]?["code"] == -32602)
    }

    /// Who may look at cards may not look into files.
    @Test(arguments: [[Right.read], [.read, .report]]) func isForThoseWhoDecide(rights: [Right]) async throws {
        let error = try await shown(.unknown, FakeClient(rights: Set(rights)))?["error"]
        #expect(error?["code"] == -32600 && error?["data"]?["refused"] == "decide")
    }
}
