import OrderedJSON
import Testing

@Suite("Editing a document")
struct DocumentTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let before: String
        let path: JSONPath
        let value: JSON
        let after: String

        var testDescription: String { name }
    }

    static let additions: [Case] = [
        Case(name: "into {}", before: "{}", path: ["a"], value: 1, after: "{\n  \"a\": 1\n}"),
        Case(name: "final newline kept", before: "{}\n", path: ["a"], value: 1, after: "{\n  \"a\": 1\n}\n"),
        Case(
            name: "two spaces", before: "{\n  \"a\": 1.0\n}\n", path: ["b"], value: ["c": [1, []]],
            after: "{\n  \"a\": 1.0,\n  \"b\": {\n    \"c\": [\n      1,\n      []\n    ]\n  }\n}\n"),
        Case(
            name: "tabs", before: "{\n\t\"a\": {\n\t}\n}", path: ["b"], value: [true],
            after: "{\n\t\"a\": {\n\t},\n\t\"b\": [\n\t\ttrue\n\t]\n}"),
        Case(
            name: "CR LF, four spaces", before: "{\r\n    \"a\": 1\r\n}\r\n", path: ["b"], value: ["c": nil],
            after: "{\r\n    \"a\": 1,\r\n    \"b\": {\r\n        \"c\": null\r\n    }\r\n}\r\n"),
        Case(
            name: "byte order mark", before: "\u{FEFF}{\n \"a\": 1\n}", path: ["b"], value: 2,
            after: "\u{FEFF}{\n \"a\": 1,\n \"b\": 2\n}"),
        Case(
            name: "minified", before: #"{"a":1,"h":{}}"#, path: ["h", "b"], value: ["c": [1, 2]],
            after: #"{"a":1,"h":{"b":{"c":[1,2]}}}"#),
        Case(
            name: "one airy line", before: #"{ "a": 1 }"#, path: ["b"], value: ["c": [1, 2]],
            after: #"{ "a": 1, "b": {"c": [1, 2]} }"#),
        Case(
            name: "a short list in a long file", before: "{\n  \"a\": [1, 2]\n}", path: ["a", 2], value: [3],
            after: "{\n  \"a\": [1, 2, [3]]\n}"),
        Case(
            name: "empty list in a long file", before: "{\n  \"a\": []\n}", path: ["a", 0], value: 3,
            after: "{\n  \"a\": [\n    3\n  ]\n}"),
        Case(
            name: "comma first", before: "{\n  \"a\": 1\n, \"b\": 2\n}", path: ["c"], value: 3,
            after: "{\n  \"a\": 1\n, \"b\": 2\n, \"c\": 3\n}"),
        Case(
            name: "blank lines between", before: "{\n  \"a\": 1,\n\n  \"b\": 2\n}", path: ["c"], value: 3,
            after: "{\n  \"a\": 1,\n\n  \"b\": 2,\n\n  \"c\": 3\n}"),
        Case(name: "like its neighbours", before: "[1,2,  3]", path: [3], value: 4, after: "[1,2,  3,  4]"),
        Case(
            name: "the last of a doubled key counts", before: #"{"h":{"x":1},"h":{"y":1}}"#, path: ["h", "z"], value: 1,
            after: #"{"h":{"x":1},"h":{"y":1,"z":1}}"#),
        Case(
            name: "keys are escaped", before: "{}", path: ["a\"b"], value: "c\\", after: "{\n  \"a\\\"b\": \"c\\\\\"\n}"
        ),
    ]

    @Test("adding, and taking away again", arguments: additions)
    func add(_ example: Case) throws {
        var document = try JSONDocument(parsing: Array(example.before.utf8))
        let empty = document.spelling(at: example.path.dropLast())
        try document.set(example.value, at: example.path)
        #expect(String(decoding: document.bytes, as: UTF8.self) == example.after)
        #expect(document.value(at: example.path) == example.value)
        try document.remove(at: example.path, leaving: empty)
        #expect(document.bytes == Array(example.before.utf8))
    }

    @Test("replacing touches nothing else")
    func replace() throws {
        var document = try JSONDocument(parsing: Array("{ \"a\":  {\n \"b\": 1.0 },\"c\" :1e5}".utf8))
        try document.set("x", at: ["c"])
        #expect(String(decoding: document.bytes, as: UTF8.self) == "{ \"a\":  {\n \"b\": 1.0 },\"c\" :\"x\"}")
        try document.set(["b": 2], at: ["a"])
        #expect(String(decoding: document.bytes, as: UTF8.self) == "{ \"a\":  {\n \"b\":  2\n},\"c\" :\"x\"}")
    }

    @Test(
        "removing in the middle of others",
        arguments: [
            ("[1, 2,  3]", 0, "[2,  3]"), ("[1, 2,  3]", 1, "[1,  3]"), ("[1, 2,  3]", 2, "[1, 2]"),
            ("[ 1 ]", 0, "[]"), ("[\n1,\n2\n]", 1, "[\n1\n]"),
        ])
    func remove(before: String, index: Int, after: String) throws {
        var document = try JSONDocument(parsing: Array(before.utf8))
        try document.remove(at: [.index(index)])
        #expect(String(decoding: document.bytes, as: UTF8.self) == after)
    }

    @Test("a place that is not there is refused and nothing changes")
    func noSuchPlace() throws {
        let text = #"{"a":[1],"s":"x"}"#
        var document = try JSONDocument(parsing: Array(text.utf8))
        for path: JSONPath in [["b", "c"], ["a", 2], ["a", "k"], ["s", "k"], [0], ["a", -1]] {
            #expect(throws: JSONEditError.noSuchPlace(path)) { try document.set(1, at: path) }
            #expect(throws: JSONEditError.noSuchPlace(path)) { try document.remove(at: path) }
        }
        #expect(throws: JSONEditError.noSuchPlace([])) { try document.remove(at: []) }
        #expect(document.bytes == Array(text.utf8))
    }

    @Test("an edit that would nest too deep is refused and nothing changes")
    func tooDeep() throws {
        var document = try JSONDocument(parsing: Array("[[]]".utf8), depth: 2)
        #expect(throws: JSONEditError.self) { try document.set([1], at: [0, 0]) }
        #expect(document.bytes == Array("[[]]".utf8))
    }

    @Test("positions count lines, and a byte order mark takes no column")
    func positions() throws {
        let document = try JSONDocument(parsing: Array("\u{FEFF}{\"a\": {\r\n\t\"é\": [0]}}".utf8))
        #expect(document.position(of: ["a"]).map { [$0.line, $0.column] } == [1, 7])
        #expect(document.position(of: ["a", "é", 0]).map { [$0.line, $0.column] } == [2, 8])
        #expect(document.position(of: ["b"]) == nil)
        let error = #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: Array("\u{FEFF}{x}".utf8)) }
        #expect(error?.column == 2)
        let path: JSONPath = ["hooks", "PreToolUse", 0, "hooks"]
        #expect(path.described == "hooks.PreToolUse[0].hooks")
    }

    @Test("adding at the end of anything and removing is identity in any layout", arguments: 0..<2_000)
    func identity(seed: Int) throws {
        var generator = RandomDocument(seed: UInt64(seed))
        let original = Array(generator.text().utf8)
        var document = try JSONDocument(parsing: original)
        let parent = generator.container(in: document)
        let empty = document.spelling(at: parent)
        let count = try #require(document.value(at: parent)).childCount
        let isArray = document.value(at: parent)?.arrayValue != nil
        let value = generator.value(depth: 2)
        let path = parent + [isArray ? .index(count) : "added"]
        try document.set(value, at: path)
        #expect(document.value(at: path) == value)
        #expect(try #require(document.value(at: parent)).childCount == count + 1)
        try document.remove(at: path, leaving: empty)
        #expect(document.bytes == original)
    }
}

extension RandomDocument {
    /// Goes down from the root at random, stopping at some object or array.
    fileprivate mutating func container(in document: JSONDocument) -> JSONPath {
        var path: JSONPath = []
        while let value = document.value(at: path), value.childCount > 0, below(3) > 0 {
            let place = below(value.childCount)
            let next = path + [value.objectValue.map { .key($0.keys[place]) } ?? .index(place)]
            guard document.value(at: next)?.isContainer == true else { break }
            path = next
        }
        return path
    }
}

extension JSON {
    fileprivate var childCount: Int {
        arrayValue?.count ?? objectValue?.count ?? 0
    }

    fileprivate var isContainer: Bool {
        arrayValue != nil || objectValue != nil
    }
}
