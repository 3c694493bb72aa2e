import OrderedJSON
import Testing

@Suite("Ids in JSON texts")
struct IDTests {
    private static let ids = JSONIDs(["id"], in: [("params", JSONIDs(["id"], in: [("list", JSONIDs(["id"]))]))])

    private func text(_ json: String) throws -> String {
        try JSON(parsing: Array(json.utf8), ids: Self.ids).serialized()
    }

    @Test(
        "half a pair stays where an id is, and is U+FFFD elsewhere",
        arguments: [
            (#"{"id":"\ud800"}"#, #"{"id":"\ud800"}"#), (#"{"id":"\uDBFF\n\""}"#, #"{"id":"\udbff\n\""}"#),
            (#"{"id":"é\ud83d\ude00\ude00"}"#, #"{"id":"é😀\ude00"}"#),
            (#"{"id":["\ud800"]}"#, #"{"id":["\#u{FFFD}"]}"#),
            (#"{"id":{"id":"\ud800"}}"#, #"{"id":{"id":"\#u{FFFD}"}}"#),
            (#"{"a":"\ud800","id":"x"}"#, #"{"a":"\#u{FFFD}","id":"x"}"#),
            (
                #"[{"id":"\ud800"},{"params":{"id":"\udfff","x":{"id":"\ud800"}}}]"#,
                #"[{"id":"\ud800"},{"params":{"id":"\udfff","x":{"id":"\#u{FFFD}"}}}]"#
            ),
            (
                #"{"params":{"list":[{"id":"\ud800"}]},"\ud800":"\u00e9"}"#,
                #"{"params":{"list":[{"id":"\ud800"}]},"\#u{FFFD}":"é"}"#
            ),
            (#"{"id":"\ud800","id":"y"}"#, #"{"id":"y"}"#),
        ])
    func kept(json: String, expected: String) throws {
        #expect(try text(json) == expected)
    }

    @Test("each id has a text of its own, and comes back from it")
    func texts() throws {
        let spellings = [
            #"\ud800"#, #"\ud801"#, #"\udfff"#, #"\ud800\ud800"#, #"\udc00\ud800"#, "x", "", "\u{FFFD}", "\u{10FFFF}",
            "\u{10FFFF}\u{E000}", "\u{10FFFF}\u{10FFFF}\u{E000}", #"\#u{10FFFF}\ud800"#, #"\ud800\#u{E000}"#,
            #"\ud800\#u{10FFFF}"#, "\u{10FFFE}", "\u{E000}", "\u{F0000}\u{F10E9}", "\u{10FFFF}\u{F0000}\u{F10E9}",
            // Equivalent to each other, so that `==` equates them as strings.
            "\u{E9}", "e\u{301}", ";", "\u{37E}", "K", "\u{212A}", "\u{C5}", "A\u{30A}", "\u{212B}", "\u{AC00}",
            "\u{1100}\u{1161}", "a\u{323}\u{307}", "a\u{307}\u{323}", "\u{F900}", "\u{8C48}", "\u{1D15E}",
            "\u{1D157}\u{1D165}", #"e\ud800\#u{301}"#,
        ]
        var texts: Set<String> = []
        for spelling in spellings {
            let json = try JSON(parsing: Array(#"{"id":"\#(spelling)"}"#.utf8), ids: Self.ids)
            let id = try #require(json["id"]?.idValue)
            #expect(texts.insert(id).inserted, "\(spelling)")
            #expect(JSON.id(id) == json["id"])
            #expect(JSON.object(["id": .id(id)]).serialized() == #"{"id":"\#(spelling)"}"#)
        }
        #expect(JSON.number(JSONNumber(1)).idValue == nil)
    }

    @Test("who asks for a text gets one all can read")
    func plain() throws {
        let json = try JSON(parsing: Array(#"{"id":"a\ud800"}"#.utf8), ids: Self.ids)
        #expect(json["id"]?.stringValue == "a\u{FFFD}" && json["id"] != "a\u{FFFD}")
        #expect(
            json["id"]?.isEquivalent(to: json["id"] ?? "") == true && json["id"]?.hashValue == json["id"]?.hashValue)
    }
}
