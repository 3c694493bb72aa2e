import Rules
import Testing

@Suite("Simple commands")
struct ShellSplitterTests {
    static let lines: [(String, [[String]])] = [
        ("ls  -l\tsrc", [["ls", "-l", "src"]]), ("echo 'a b'\"c d\"e", [["echo", "a bc de"]]),
        ("echo ''", [["echo", ""]]), ("echo \"a\\\"b\\\\c\\$d\\ne\"", [["echo", "a\"b\\c$d\\ne"]]),
        ("echo \"a\nb\"", [["echo", "a\nb"]]),
        ("a && b || c; d\ne | f |& g", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]]),
        ("ls >/dev/null -l 2>&1", [["ls", "-l"]]), ("2>/dev/null ls", [["ls"]]),
        ("CI=1 NO_COLOR= timeout 5s npm test", [["npm", "test"]]), ("timeout 5 cd x", [["timeout", "5", "cd", "x"]]),
        ("timeout 5", [["timeout", "5"]]), ("timeout 5x ls", [["timeout", "5x", "ls"]]),
        ("timeout \"5\" ls", [["timeout", "5", "ls"]]), ("# a\n# b\nls\n#c", [["ls"]]),
        ("echo stash@{0} a#b $? \"$?\"", [["echo", "stash@{0}", "a#b", "$?", "$?"]]),
        ("echo \"$(cat <<'X'\n a\n\nb'\"$(\n\n\nX\n)\" c", [["echo", " a\n\nb'\"$(", "c"]]),
        ("ls|head&&ls;", [["ls"], ["head"], ["ls"]]), ("[ -f a ]", [["[", "-f", "a", "]"]]),
    ]

    @Test("words after quote removal", arguments: lines)
    func words(line: String, commands: [[String]]) throws {
        #expect(try ShellSplitter.split(line).map { $0.words.map(\.value) } == commands)
    }

    @Test("what joins the commands")
    func separators() throws {
        let commands = try ShellSplitter.split("a && b | c |& d || e; f\ng ;\n h;")
        #expect(commands.map(\.before) == [.edge, .and, .pipe, .pipe, .or, .semicolon, .newline, .semicolon])
        #expect(commands.map(\.after) == [.and, .pipe, .pipe, .or, .semicolon, .newline, .semicolon, .edge])
    }

    static let marked: [(String, ShellWord.Marks)] = [
        ("$x", ShellWord.Marks.dollar), ("\"$x\"", .dollar), ("\"\\$x\"", .dollar), ("'$x'", []), ("a$", .dollar),
        ("$?", .status), ("\"a $? b\"", .status), ("$?:h", .dollar), ("\"$?[1]\"", .dollar), ("*", .glob),
        ("a?", .glob),
        ("[a]", .glob), ("'*'", []), ("\"*\"", []), ("{a,b}", .brace), ("}", .brace), ("@{u}", .caret),
        ("a@{1}b", .caret),
        ("@{-1}", .brace), ("'@'{u}", .brace), ("@{}", .brace), ("'{'", []), ("a#b", .hash), ("~", [.tilde, .caret]),
        ("a=~", [.tilde, .caret]), ("a:~b", [.tilde, .caret]), ("a~b", .caret), ("a^", .caret), ("'~'", []),
        ("=ls", .equals),
        ("a=b", []), ("'='a", []), ("\"\"=a", .equals), ("a:b", []), ("a,b", []), ("]", []),
    ]

    @Test("what the shell may change is marked", arguments: marked)
    func marks(word: String, marks: ShellWord.Marks) throws {
        #expect(try ShellSplitter.split("echo \(word)").first?.words.last?.marks == marks)
    }

    @Test("where a line stops")
    func offsets() {
        for (line, offset) in [("ls `id`", 3), ("ls && é", 6), ("ls 'a", 3), ("日 \u{202E}", 4), ("ls & ls", 3)] {
            let error = #expect(throws: ShellStop.self) { try ShellSplitter.split(line) }
            #expect(error?.offset == offset, "\(line)")
        }
    }
}
