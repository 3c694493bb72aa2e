import OrderedJSON
import Testing

@Suite("Texts that are JSON")
struct AcceptTests {
    @Test(
        "what goes in, what is written out",
        arguments: [
            ("null", "null"), ("true", "true"), ("false", "false"), ("\"\"", "\"\""), ("[]", "[]"), ("{}", "{}"),
            (" \t\r\n1 \t\r\n", "1"), ("[ ]", "[]"), ("{ }", "{}"), ("[[[]]]", "[[[]]]"),
            ("[1, 2,\n3]", "[1,2,3]"), ("{\"b\" : 1 , \"a\":2}", "{\"b\":1,\"a\":2}"),
            ("{\"\":0}", "{\"\":0}"), ("[null,true,false]", "[null,true,false]"),
            ("{\"a\":{\"b\":[{\"c\":null}]}}", "{\"a\":{\"b\":[{\"c\":null}]}}"),
            ("\"\u{7F}\u{2028}\u{2029}/\"", "\"\u{7F}\u{2028}\u{2029}/\""), ("\"é😀\u{10FFFF}\"", "\"é😀\u{10FFFF}\""),
            (#"{"a":1,"b":2,"a":3}"#, #"{"a":3,"b":2}"#),
        ])
    func accepts(text: String, written: String) throws {
        #expect(try JSON(parsing: text).serialized() == written)
        #expect(try JSON(parsing: Array(text.utf8)).serialized() == written)
        #expect(try JSON(parsing: text.utf8.dropFirst(0)).serialized() == written)
    }

    @Test(
        "numbers keep their spelling",
        arguments: [
            ("0", 0, 0.0), ("-0", 0, -0.0), ("1", 1, 1), ("-17", -17, -17), ("1.0", nil, 1), ("1e5", nil, 1e5),
            ("1E+5", nil, 1e5), ("1e-2", nil, 0.01), ("0.50", nil, 0.5), ("0e0", nil, 0),
            ("9223372036854775807", Int.max, 9.223372036854775807e18),
            ("12345678901234567890", nil, 1.2345678901234567e19), ("1e999", nil, nil), ("-1e999", nil, nil),
            ("0.1000000000000000055511151231257827", nil, 0.1),
        ] as [(String, Int?, Double?)])
    func numbers(spelling: String, int: Int?, double: Double?) throws {
        let value = try JSON(parsing: spelling)
        #expect(value.serialized() == spelling)
        #expect(value.intValue == int)
        #expect(value.doubleValue == double)
        #expect(try #require(JSONNumber(spelling: spelling)).spelling == spelling)
    }

    @Test("numbers made in code")
    func madeNumbers() {
        #expect(JSONNumber(-5).spelling == "-5")
        #expect(JSONNumber(1.5)?.spelling == "1.5")
        #expect(JSONNumber(Double.infinity) == nil)
        #expect(JSONNumber(Double.nan) == nil)
        for spelling in ["", "-", "01", "+1", "1.", ".5", "1e", "0x10", "1 ", " 1", "NaN", "1\u{0}"] {
            #expect(JSONNumber(spelling: spelling) == nil, "\(spelling)")
        }
    }

    @Test(
        "escapes",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t", #""\"\\/\b\f\n\r\t""#),
            (#""\u0041\u00e9\u20AC""#, "Aé€", "\"Aé€\""),
            (#""\u0000\u001f""#, "\u{0}\u{1f}", #""\u0000\u001f""#),
            (#""a\ud83d\ude00b""#, "a😀b", "\"a😀b\""), (#""\uDBFF\uDFFF""#, "\u{10FFFF}", "\"\u{10FFFF}\""),
            (#""\ud83d""#, "\u{FFFD}", "\"\u{FFFD}\""), (#""\ude00""#, "\u{FFFD}", "\"\u{FFFD}\""),
            (#""\ud83dx""#, "\u{FFFD}x", "\"\u{FFFD}x\""), (#""\ud83d\n""#, "\u{FFFD}\n", "\"\u{FFFD}\\n\""),
            (#""\ud83d\u0041""#, "\u{FFFD}A", "\"\u{FFFD}A\""),
            (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀", "\"\u{FFFD}😀\""),
            (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}", "\"\u{FFFD}\u{FFFD}\""),
            (#""\uFEFF\uFFFF""#, "\u{FEFF}\u{FFFF}", "\"\u{FEFF}\u{FFFF}\""),
        ])
    func escapes(text: String, says: String, written: String) throws {
        let value = try JSON(parsing: text)
        #expect(value.stringValue.map { Array($0.unicodeScalars) } == Array(says.unicodeScalars))
        #expect(value.serialized() == written)
        #expect(try JSON(parsing: value.serialized()) == value)
    }

    @Test("as deep as allowed")
    func deep() throws {
        let text = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
        #expect(try JSON(parsing: text).serialized() == text)
        #expect(try JSON(parsing: #"{"a":[{}],"b":[{}]}"#, depth: 3)["b"] == [[:]])
        #expect(try JSON(parsing: "1", depth: 0) == 1)
    }

    @Test("an object of many keys takes linear time and keeps the last of each")
    func manyKeys() throws {
        let count = 100_000
        let members = (0..<count).map { "\"k\($0)\":\($0)" } + (0..<count).map { "\"k\($0)\":\(-$0)" }
        let value = try JSON(parsing: "{" + members.joined(separator: ",") + "}")
        #expect(value.objectValue?.count == count)
        #expect(value["k99999"] == -99999)
        #expect(value.objectValue?.keys.prefix(3) == ["k0", "k1", "k2"])
        #expect(
            value.isEquivalent(to: .object(JSONObject(try #require(value.objectValue).reversed().map { ($0, $1) }))))
    }
}
