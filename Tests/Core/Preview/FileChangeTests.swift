import Core
import OrderedJSON
import TestSupport
import Testing

@Suite("What a call makes of a file's text")
struct FileChangeTests {
    struct Case: Sendable {
        let name: String
        let tool: String
        let input: JSON
        let file: String?
        let expected: Result<[String], PreviewRefusal>

        init(
            _ name: String, _ tool: String, _ input: JSON, _ file: String?, _ expected: Result<[String], PreviewRefusal>
        ) {
            self.name = name
            self.tool = tool
            self.input = input
            self.file = file
            self.expected = expected
        }
    }

    private static func edit(_ old: String, _ new: String, all: Bool? = nil) -> JSON {
        var input: JSONObject = ["file_path": "/p/a", "old_string": .string(old), "new_string": .string(new)]
        if let all { input["replace_all"] = .bool(all) }
        return .object(input)
    }

    private static func cell(_ more: JSONObject) -> JSON {
        var input: JSONObject = ["notebook_path": "/p/a.ipynb", "new_source": "new"]
        for (key, value) in more { input[key] = value }
        return .object(input)
    }

    private static let notebook = #"{"cells":[{"id":"x","source":["a\n","b"]},{"source":"c"}]}"#

    static let cases: [Case] = [
        Case("one place", "Edit", edit("b", "X"), "abc", .success(["abc", "aXc"])),
        Case("at both ends", "Edit", edit("abc", ""), "abc", .success(["abc", ""])),
        Case("not there", "Edit", edit("x", "y"), "abc", .failure(.notFound(edit: 0, of: 1))),
        Case("twice", "Edit", edit("b", "X"), "abcb", .failure(.notUnique(edit: 0, of: 1, count: 2))),
        Case("twice, all", "Edit", edit("b", "bb", all: true), "abcb", .success(["abcb", "abbcbb"])),
        Case("all, but none", "Edit", edit("x", "y", all: true), "abc", .failure(.notFound(edit: 0, of: 1))),
        Case("overlapping", "Edit", edit("aa", "b", all: true), "aaaaa", .success(["aaaaa", "bba"])),
        Case(
            "a canonical twin is another text", "Edit", edit("e\u{301}", "x"), "\u{e9}",
            .failure(.notFound(edit: 0, of: 1))),
        Case("no file", "Edit", edit("a", "b"), nil, .failure(.missing)),
        Case("a new file", "Edit", edit("", "b"), nil, .success(["", "b"])),
        Case("an empty file", "Edit", edit("", "b"), "", .success(["", "b"])),
        Case("nothing to find in a file", "Edit", edit("", "b"), "a", .failure(.exists)),
        Case("other line ends", "Edit", edit("a\nb", "a\nc"), "a\r\nb\r\n", .success(["a\nb\n", "a\nc\n"])),
        Case("its own line ends", "Edit", edit("a\r\nb", "c"), "a\r\nb\r\n", .success(["a\r\nb\r\n", "c\r\n"])),
        Case("no text", "Edit", edit("a", "b"), "a\u{0}", .failure(.notText)),
        Case(
            "one after the other", "MultiEdit",
            [
                "file_path": "/p/a",
                "edits": [["old_string": "a", "new_string": "b"], ["old_string": "bb", "new_string": "c"]],
            ], "ab", .success(["ab", "c"])),
        Case(
            "the second", "MultiEdit",
            [
                "file_path": "/p/a",
                "edits": [["old_string": "a", "new_string": "b"], ["old_string": "a", "new_string": "c"]],
            ], "ab", .failure(.notFound(edit: 1, of: 2))),
        Case("whole", "Write", ["file_path": "/p/a", "content": "new"], "old", .success(["old", "new"])),
        Case("whole and new", "Write", ["file_path": "/p/a", "content": "new"], nil, .success(["", "new"])),
        Case("a cell by its id", "NotebookEdit", cell(["cell_id": "x"]), notebook, .success(["a\nb", "new"])),
        Case("a cell by its place", "NotebookEdit", cell(["cell_id": "cell-1"]), notebook, .success(["c", "new"])),
        Case("no such cell", "NotebookEdit", cell(["cell_id": "cell-2"]), notebook, .failure(.cellMissing("cell-2"))),
        Case("which cell", "NotebookEdit", cell([:]), notebook, .failure(.cellMissing(""))),
        Case(
            "a new cell", "NotebookEdit", cell(["cell_id": "x", "edit_mode": "insert"]), notebook,
            .success(["", "new"])),
        Case("a first cell", "NotebookEdit", cell(["edit_mode": "insert"]), notebook, .success(["", "new"])),
        Case(
            "a cell less", "NotebookEdit", cell(["cell_id": "x", "edit_mode": "delete"]), notebook,
            .success(["a\nb", ""])),
        Case("no notebook", "NotebookEdit", cell(["cell_id": "x"]), "{", .failure(.notNotebook)),
        Case("no cells", "NotebookEdit", cell(["cell_id": "x"]), "[]", .failure(.notNotebook)),
    ]

    @Test(arguments: cases.indices)
    func applies(index: Int) throws {
        let item = Self.cases[index]
        let change = try #require(FileChange(tool: .claude(item.tool), input: item.input))
        let found = Result { () throws(PreviewRefusal) in
            let texts = try change.applied(to: item.file.map { Array($0.utf8) })
            return [texts.old, texts.new].map { String(decoding: $0, as: UTF8.self).utf8.map(UInt32.init) }
        }
        #expect(found == item.expected.map { $0.map { $0.utf8.map(UInt32.init) } }, "\(item.name)")
    }

    static let others: [(String, JSON)] = [
        ("Bash", ["command": "x"]), ("Read", ["file_path": "/p/a"]), ("Edit", ["file_path": "/p/a"]), ("Edit", 7),
        ("Edit", ["file_path": 7, "old_string": "a", "new_string": "b"]), ("Write", ["content": "x"]),
        ("MultiEdit", ["file_path": "/p/a", "edits": []]),
        ("MultiEdit", ["file_path": "/p/a", "edits": [["old_string": "a"]]]),
        ("NotebookEdit", ["notebook_path": "/p/a"]),
        ("NotebookEdit", ["notebook_path": "/p/a", "new_source": "x", "edit_mode": "burn"]),
    ]

    @Test(arguments: others)
    func isNoChange(tool: String, input: JSON) {
        #expect(FileChange(tool: .claude(tool), input: input) == nil)
    }

    @Test("what would take long or much is not tried", .timeLimit(.minutes(1)))
    func ceilings() throws {
        let file = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
        let many = try #require(
            FileChange(tool: .claude("Edit"), input: Self.edit("a", String(repeating: "b", count: 1000), all: true)))
        #expect(throws: PreviewRefusal.tooMuch) { try many.applied(to: file) }
        let slow = try #require(
            FileChange(tool: .claude("Edit"), input: Self.edit(String(repeating: "a", count: 400_000) + "b", "c")))
        #expect(throws: PreviewRefusal.notFound(edit: 0, of: 1)) { try slow.applied(to: file) }
        let edits = JSON.array(
            Array(repeating: ["old_string": "zz", "new_string": "y", "replace_all": true], count: 5000))
        let list = try #require(FileChange(tool: .claude("MultiEdit"), input: ["file_path": "/p/a", "edits": edits]))
        #expect(throws: PreviewRefusal.self) { try list.applied(to: file) }
        let lines = try #require(
            FileChange(
                tool: .claude("Write"),
                input: ["file_path": "/p/a", "content": .string(String(repeating: "\n", count: 200_001))]))
        #expect(throws: PreviewRefusal.tooMuch) { try lines.applied(to: nil) }
    }
}
