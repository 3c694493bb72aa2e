import Testing

/// What agents call their tools, and the members of their inputs, is known where agents are read, and to the rules, which
/// are written in these names. Everybody else goes by a tool's kind and by what its members are.
@Suite struct AgentNameTests {
    private static let table = "Sources/Agents/Claude/ClaudeTools.swift"

    /// Swift and the page: whatever could compare a name.
    private static let files =
        ((try? Repository.files(in: "Sources", ending: ".swift")) ?? []).filter {
            !$0.hasPrefix("Sources/Agents/") && !$0.hasPrefix("Sources/Rules/")
        } + ((try? Repository.files(in: "web", ending: ".js")) ?? [])

    /// English words that are tools' names too; there they begin a sentence, or name a schema.
    private static let words = ["named(", "verb: "]

    @Test func nobodyElseComparesTheNameOfATool() throws {
        let names = try found(#/name: "(\w+)"/#)
        #expect(names.count >= 15 && names.contains("Bash"))
        // The page has buttons of these words, so there only what is no word counts.
        let odd = names.filter { $0 == "Bash" || $0.dropFirst().contains(where: \.isUppercase) }
        let key = try Regex("[{,] *(?:\(odd.joined(separator: "|"))):")
        let literals = try [".swift": names, ".js": odd].mapValues {
            try Regex("(\\w*[(:]? ?)[\"'`](?:\($0.joined(separator: "|"))|mcp__)(?:[\"'`(]|\\w*__)")
        }
        for path in Self.files {
            for line in try Repository.lines(path).map(code) {
                let literal = literals[path.hasSuffix(".js") ? ".js" : ".swift"]
                let found = try line.matches(of: #require(literal)).filter { match in
                    !Self.words.contains { match.output[1].substring?.hasSuffix($0) ?? false }
                }
                #expect(found.isEmpty && !line.contains(key), "\(path): \(line)")
            }
        }
    }

    @Test func nobodyElseReadsAnInputByItsNames() throws {
        let names = try found(#/\.\w+: "(\w+)"/#)
        #expect(names.count >= 20 && names.contains("old_string"))
        // These mean nothing else anywhere.
        let own = names.filter { $0.contains("_") || $0.contains(where: \.isUppercase) }
        let one = own.joined(separator: "|")
        let literal = try Regex("[\"'`](?:\(one))[\"'`]|\\.(?:\(one))\\b")
        let member = try Regex(
            "[iI]nput(?:\\?|\\))*(?:\\[\"|\\.text\\(\"|\\.list\\(\"|\\.)(?:\(names.joined(separator: "|")))\\b")
        for path in Self.files {
            for line in try Repository.lines(path).map(code) {
                #expect(!line.contains(literal) && !line.contains(member), "\(path): \(line)")
            }
        }
    }

    private func found(_ pattern: Regex<(Substring, Substring)>) throws -> [String] {
        Set(try Repository.text(Self.table).matches(of: pattern).map { String($0.1) }).sorted()
    }

    /// The line without what stands behind `//`, and nothing of a comment of several lines.
    private func code(_ line: String) -> String {
        if line.drop(while: { $0 == " " }).hasPrefix("*") { return "" }
        return line.firstRange(of: "//").map { String(line[..<$0.lowerBound]) } ?? line
    }
}
