import OrderedJSON
import Testing

@Suite("Texts that are not JSON")
struct RejectTests {
    @Test(
        "where and why",
        arguments: [
            ("", 1, 1, "ends where a value"), ("  ", 1, 3, "ends where a value"), ("nul", 1, 1, "a value should be"),
            ("True", 1, 1, "'T' where a value"), ("truex", 1, 5, "the end of the text"),
            ("1 2", 1, 3, "the end of the text"),
            ("{}}", 1, 3, "the end of the text"), ("[1 2]", 1, 4, "',' or ']' in the array"),
            ("[1", 1, 3, "ends where ',' or ']'"), ("[1,", 1, 4, "ends where a value"),
            ("[", 1, 2, "ends where a value"),
            ("{", 1, 2, "ends where a key"), ("[,1]", 1, 2, "',' where a value"), ("[1,,2]", 1, 4, "',' where a value"),
            ("[1,]", 1, 3, "comma may not follow the last item of an array"),
            ("{\"a\":1,}", 1, 7, "comma may not follow the last item of an object"),
            ("{a:1}", 1, 2, "'a' where a key in double quotes"), ("{'a':1}", 1, 2, "no single quotes"),
            ("{1:1}", 1, 2, "a key in double quotes"), ("{\"a\" 1}", 1, 6, "':' after the key"),
            ("{\"a\"}", 1, 5, "':' after the key"), ("{\"a\":}", 1, 6, "'}' where a value"),
            ("{\"a\":1 \"b\":2}", 1, 8, "',' or '}' in the object"), ("[}", 1, 2, "'}' where a value"),
            ("// x\n1", 1, 1, "no comments"), ("[1, /* x */ 2]", 1, 5, "no comments"),
            ("[1 // x\n]", 1, 4, "no comments"),
            ("{\n  # x\n}", 2, 3, "no comments"), ("1 // x", 1, 3, "no comments"),
            ("01", 1, 1, "may not begin with 0"), ("-", 1, 2, "ends where a digit"), ("-x", 1, 2, "a digit"),
            ("1.", 1, 3, "a digit"), ("1.e3", 1, 3, "a digit"), (".5", 1, 1, "'.' where a value"),
            ("+1", 1, 1, "'+' where"),
            ("1e", 1, 3, "a digit"), ("1e+", 1, 4, "a digit"), ("-01", 1, 1, "may not begin with 0"),
            ("0x1", 1, 2, "'x'"),
            ("NaN", 1, 1, "'N' where"), ("Infinity", 1, 1, "'I' where"), ("-Infinity", 1, 2, "'I' where a digit"),
            ("\"", 1, 1, "does not end"), ("\"abc", 1, 1, "does not end"), ("\"a\\\"", 1, 1, "does not end"),
            ("[\"a\nb\"]", 1, 4, "written as \\u000A"), ("\"\t\"", 1, 2, "\\u0009"), ("\"\u{0}\"", 1, 2, "\\u0000"),
            ("\"\\x41\"", 1, 2, "backslash"), ("\"\\u12\"", 1, 2, "four hexadecimal"),
            ("\"\\u12g4\"", 1, 2, "four hexa"),
            ("\"\\ud800\\u12\"", 1, 8, "four hexadecimal"), ("\"\\", 1, 2, "backslash"),
            ("\"\\u", 1, 2, "four hexadecimal"),
            ("\u{FEFF}{}", 1, 1, "byte order mark"), ("[\u{A0}1]", 1, 2, "'\u{A0}'"), ("\u{0}", 1, 1, "U+0000"),
            ("{\n\t\"é😀\": [1,\n\t\t\"ü\" x]\n}", 3, 7, "'x' where ',' or ']'"),
            ("[\r\n1,\r\n x]", 3, 2, "'x'"), ("[\r1,\r x]", 3, 2, "'x'"), ("\n\n\n", 4, 1, "ends"),
        ])
    func rejects(text: String, line: Int, column: Int, message: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text) }
        #expect(error?.line == line)
        #expect(error?.column == column)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        #expect(error?.description == "line \(line), column \(column): \(error?.message ?? "")")
    }

    @Test(
        "bytes that are not UTF-8, with the place of the first",
        arguments: [
            ([0x80], 0), ([0xC3], 0), ([0xC3, 0x28], 0), ([0x61, 0xE2, 0x82], 1), ([0xF0, 0x9F, 0x98], 0),
            ([0xC0, 0xAF], 0), ([0xC1, 0xBF], 0), ([0xE0, 0x80, 0xAF], 0), ([0xF0, 0x80, 0x80, 0xAF], 0),
            ([0xED, 0xA0, 0x80], 0), ([0xED, 0xBF, 0xBF], 0), ([0xF4, 0x90, 0x80, 0x80], 0),
            ([0xF8, 0x88, 0x80, 0x80, 0x80], 0),
            ([0xFE], 0), ([0xFF], 0), ([0xC3, 0xA9, 0xE2, 0x82, 0x20], 2), ([0x5C, 0x6E, 0xC3], 2),
            // The bytes of an escape may not complete a truncated UTF-8 sequence before it.
            ([0xC3, 0x5C, 0x75, 0x30, 0x30, 0x41, 0x39], 0),
        ] as [([UInt8], Int)])
    func invalidUTF8(bytes: [UInt8], at offset: Int) {
        let quoted = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
        let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: quoted) }
        #expect(error?.message == "not valid UTF-8")
        #expect(error?.offset == offset + 1)
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: [0x5B] + bytes + [0x5D]) }
        let inKey = Array("{".utf8) + quoted + Array(":1}".utf8)
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: inKey) }
    }

    @Test("nested too deep", arguments: ["[", "{\"a\":", "[{\"a\":"])
    func tooDeep(opening: String) {
        let error = #expect(throws: JSONSyntaxError.self) {
            try JSON(parsing: String(repeating: opening, count: 1_000_000))
        }
        #expect(error?.message == "nested deeper than 128 levels")
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: "[[]]", depth: 1) }
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: "[]", depth: 0) }
    }
}
