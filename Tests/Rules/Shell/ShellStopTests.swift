import Rules
import Testing

/// Each construct that the splitter refuses, with a similar line that it accepts. If a check is removed, its refused
/// lines pass and the test fails.
@Suite("What stops the splitter")
struct ShellStopTests {
    struct Case: Sendable {
        let reason: ShellStop.Reason
        let stops: [String]
        let twins: [String]
    }

    static let cases: [Case] = [
        Case(reason: .backtick, stops: ["ls `id`", "ls \"`id`\"", "l`s`", "echo \"\\`id\\`\""], twins: ["ls '`id`'"]),
        Case(
            reason: .expansion,
            stops: [
                "ls $(id)", "ls \"$(id)\"", "ls ${x}", "ls \"${x}\"", "ls $((1))", "ls $[1]", "ls \"$[1]\"",
                "ls a$(id)",
                "echo \"$(cat <<EOF\nx\nEOF\n)\"",
            ], twins: ["ls '$(id)'", "ls '${x}'", "ls \"\\$(id)\"", "ls $x", "ls \"a$\""]),
        Case(reason: .dollarQuote, stops: ["ls $'a'", "ls $\"a\"", "ls x$'a'"], twins: ["ls \"$'a'\"", "ls '$'a"]),
        Case(
            reason: .parenthesis,
            stops: [
                "(ls)", "ls)", "ls ()", "f() { ls; }", "ls *(e:id:)", "ls =(id)", "ls a(b)", "ls !(a)", "ls )",
            ], twins: ["ls '(a)'", "ls \"(a)\""]),
        Case(
            reason: .hereDocument, stops: ["cat <<EOF\nx\nEOF", "cat <<-E\nE", "cat <<<x", "cat<<x"],
            twins: ["cat '<<'"]),
        Case(
            reason: .redirection,
            stops: [
                "ls >x", "ls > x", "ls >> x", "ls 2> x", "ls &> x", "ls >& x", "ls >| x", "ls >! x", "ls <> x",
                "ls < x",
                "ls >&3", "ls 3>&1", "ls 3>/dev/null", "ls >&-", "ls 2>&1x", "ls >&2x", "ls >/dev/nullx",
                "ls >/dev/null/x",
                "ls >\"/dev/null\"", "ls >'/dev/null'", "ls 2>>/dev/null", "ls &>>/dev/null", "ls {a}>/dev/null",
                "ls {a}</dev/null", "ls {a}>&2", "ls {a}&>/dev/null", "ls 12>/dev/null", "ls 0</dev/null", "ls <&2",
                "ls >/dev/null>x", "ls 1>&1", "ls >&1", "ls 2>& 1", "ls <(id)", "ls >(id)", "ls >", "ls >/dev/null(id)",
            ],
            twins: [
                "ls >/dev/null", "ls > /dev/null", "ls 1>/dev/null", "ls 2>/dev/null", "ls &>/dev/null",
                "ls >>/dev/null", "ls </dev/null", "ls 2>&1", "ls 1>&2", "ls >&2", "ls >/dev/null 2>&1", "ls '>' x",
                ">/dev/null ls", "ls>/dev/null", "ls >&2;ls", "ls >&2|ls", "ls >&2&&ls", "ls a2>/dev/null",
            ]),
        Case(
            reason: .ampersand,
            stops: ["ls &", "ls & ls", "& ls", "ls &| ls", "ls &! ls", "ls |&& ls", "ls >&2&", "ls;&"],
            twins: ["ls && ls", "ls |& ls", "ls '&'", "ls &>/dev/null"]),
        Case(
            reason: .backslash, stops: ["ls \\-l", "l\\s", "ls \\\n-l", "ls a\\ b", "ls \"a\\\nb\"", "\\ls", "ls \\"],
            twins: ["ls '\\'", "ls \"\\\\\"", "ls \"\\a\""]),
        Case(
            reason: .comment,
            stops: ["ls # x", "ls #", "ls ''#", "ls \"a\"#b", " # x\nls", "ls; # x", "ls $x#", "ls&&#x"],
            twins: ["ls a#b", "# x\nls", "ls\n# x", "ls &&\n# x\nls", "ls '#'", "#\nls"]),
        Case(
            reason: .quoteBehindQuote, stops: ["ls 'a''b'", "ls ''''", "ls x'''y'"],
            twins: ["ls 'a'\"'\"'b'", "ls 'a' 'b'", "ls 'a'b'c'", "ls \"a\"'b'"]),
        Case(
            reason: .unbalancedQuote, stops: ["ls 'a", "ls \"a", "ls 'a\"", "ls \"a'", "'", "ls \"a\\\""],
            twins: ["ls 'a'", "ls \"a\"", "ls \"'\"", "ls '\"'"]),
        Case(
            reason: .emptyCommand,
            stops: [
                "", " ", "\n", "# x", "; ls", "ls ;; ls", "ls &&", "ls |", "ls ||", "&& ls", "ls && && ls", "ls ; ; ls",
                "ls\n; ls", "ls && ; ls", "ls | | ls", "ls &&\n", ">/dev/null", "ls; >/dev/null",
            ],
            twins: ["ls;", "ls\n", "ls;\n", "\n\nls", "ls\n\n\nls", "ls &&\n\nls", "ls ;\n ls"]),
        Case(
            reason: .firstWord,
            stops: [
                "$x", "$x ls", "l*", "l?", "[a]", "~/ls", "a=b", "a=b ls", "A+=b ls", "PATH=x ls", "{a,b}", "a:b",
                "a,b", "%1",
                "!", "!ls", "[[ -f a ]]", "=ls", "é", "CI=1", "CI=\"1\" ls", "CI=a/b ls", "CI=1 PATH=x ls",
                "timeout 5 a=b ls", "CI=1 cd x", "'a b'", "^a", "@x", "K\u{212A}", "CI=1;",
            ],
            twins: [
                "ls", "[ -f a ]", "./x", "g++", "a-b", "a_b", "'ls'", "\"ls\"", "CI=1 ls", "CI= ls",
                "CI=1 NO_COLOR=1 ls",
                "timeout 5 ls", "timeout 5h ls", "CI=1 timeout 5m ls", "timeout 5 cd x", ".", "-", "/bin/ls",
            ]),
        Case(
            reason: .reservedWord,
            stops: [
                "if ls", "then ls", "else ls", "elif ls", "fi", "for x", "while ls", "until ls", "do ls", "done",
                "case x",
                "esac", "in x", "function f", "select x", "time ls", "coproc ls", "repeat 3 ls", "foreach x", "end",
                "nocorrect ls", "declare x", "typeset x", "local x", "readonly x", "export x", "integer x", "float x",
                "let x",
                "ls; time ls", "CI=1 time ls", "timeout 5 time ls", "'if'",
            ], twins: ["ls if", "ls time", "./if", "iff"]),
        Case(
            reason: .hiddenCharacter,
            stops: [
                "ls\r", "ls \0", "ls '\u{1}'", "ls \u{7F}", "ls \u{85}", "ls\u{A0}x", "ls '\u{AD}'", "ls \u{61C}",
                "ls \u{1680}", "ls \u{2003}", "ls \u{200B}", "ls \u{200D}", "ls \u{200F}", "ls \u{2028}", "ls \u{2029}",
                "ls \u{202E}", "ls \u{202F}", "ls \u{205F}", "ls \u{2060}", "ls \u{2066}", "ls \u{3000}", "ls \u{FEFF}",
                "ls \u{E0041}", "ls \u{115F}", "ls \u{180E}", "# \u{202E}\nls", "ls \u{B}", "ls \u{C}", "ls \u{1B}",
                "git commit -m \"$(cat <<'EOF'\na\u{202E}\nEOF\n)\"",
            ], twins: ["ls é", "ls 日本", "ls '😀'", "ls\tx", "ls e\u{301}"]),
        Case(
            reason: .length, stops: ["ls " + String(repeating: "a", count: 16_382)],
            twins: ["ls " + String(repeating: "a", count: 16_381)]),
        Case(
            reason: .hereDocumentBody,
            stops: [
                "echo \"$(cat <<'EOF'\na\n)\"", "echo \"$(cat <<'EOF'\na\nEOFX\nEOF\n)\"",
                "echo \"$(cat <<'EOF'\na\nEOF \n)\"",
                "echo \"$(cat <<'EOF'\na\nEOF\n\n)\"", "echo \"$(cat <<'EOF'\na\nEOF\n)\"x",
                "echo \"$(cat <<'EOF'\na\nEOF\n) \"", "echo \"$(cat <<'EOF'\na\nEOF)\"",
                "echo \"$(cat <<'EOF'\na\nEOF\nid\n)\"",
                "echo \"$(cat <<'EOF'\na\nEOF\n)\"#", "echo \"$(cat <<'EOF'\nEOF", "echo \"$(cat <<'EOF'\na\nEOFX)\"",
            ],
            twins: [
                "echo \"$(cat <<'EOF'\na\nEOF\n)\"", "echo \"$(cat <<'EOF'\n)\"\n'`$(id)\\\n EOF\nEOF\n)\" b",
                "echo \"$(cat <<'EOF'\nEOF\n)\";ls",
            ]),
    ]

    @Test("each reason, with its twins", arguments: cases.indices)
    func reasons(index: Int) {
        let item = Self.cases[index]
        for line in item.stops {
            #expect(Self.reason(line) == item.reason, "\(line.debugDescription)")
        }
        for line in item.twins {
            #expect(Self.reason(line) == nil, "\(line.debugDescription)")
        }
    }

    @Test("no reason is left out")
    func complete() {
        #expect(Set(Self.cases.map(\.reason)) == Set(ShellStop.Reason.allCases))
    }

    @Test("macOS's bash reads a here document in a substitution otherwise")
    func macBash() {
        let line = "echo \"$(cat <<'EOF'\na\nEOF\n)\""
        #expect(throws: ShellStop.self) { try ShellSplitter.split(line, isMacBash: true) }
        #expect(Self.reason(line) == nil)
    }

    static func reason(_ line: String) -> ShellStop.Reason? {
        do throws(ShellStop) {
            _ = try ShellSplitter.split(line)
            return nil
        } catch {
            return error.reason
        }
    }
}
