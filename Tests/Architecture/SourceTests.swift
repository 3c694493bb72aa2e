import Testing

/// Habits that a compiler does not hold.
@Suite struct SourceTests {
    private static let swift = try? Repository.files(in: "Sources", ending: ".swift")
    private static let tests = try? Repository.files(in: "Tests", ending: ".swift")

    /// Files that may be long, each with its reason.
    private static let long: [String: String] = [:]

    /// Over that a file holds more than one idea.
    private static let ceiling = 300

    @Test func filesAreShort() throws {
        for path in try #require(Self.swift) + #require(Self.tests) where Self.long[path] == nil {
            let count = try Repository.lines(path).count
            #expect(count <= Self.ceiling, "\(path) has \(count) lines: divide it, or give a reason in `long`")
        }
        for path in Self.long.keys {
            #expect(try Repository.lines(path).count > Self.ceiling, "\(path) is no longer long")
        }
    }

    /// C libraries are called where their one owner lives.
    @Test(arguments: [
        ("Sources/Markdown/", #"\bcmark_\w+\("#),
        ("Sources/Notify/", #"\bcurl_\w+\("#),
        ("Sources/Loop/", #"\b(bufferevent|evbuffer|evconnlistener|event|evutil)_\w+\("#),
        ("Sources/Platform/", #"\b(pthread|cplatform_(thread|mutex|condition))_\w+\("#),
        ("Sources/Store/", #"\bsqlite3_\w+\("#),
    ])
    func libraryIsCalledOnlyIn(_ directory: String, _ calls: String) throws {
        let pattern = try Regex(calls)
        for path in try #require(Self.swift) where !path.hasPrefix(directory) {
            let found = try Repository.lines(path).filter { $0.contains(pattern) }
            #expect(found == [], "\(path)")
        }
    }

    /// One word for one thing: a reader who meets a type's name elsewhere may take it for the same.
    @Test func noTwoTypesHaveOneName() throws {
        let pattern = try Regex(#"^(?:package )?(?:final )?(?:struct|enum|class|protocol|actor) (\w+)"#)
        var found: [String: [String]] = [:]
        for path in try #require(Self.swift) {
            for line in try Repository.lines(path) {
                guard let match = try pattern.firstMatch(in: line), let name = match.output[1].substring else {
                    continue
                }
                found[String(name), default: []].append(path)
            }
        }
        #expect(found.count > 300)
        for (name, paths) in found where paths.count > 1 { Issue.record("\(name): \(paths)") }
    }

    /// Each of these is a promise the compiler cannot check; the comment beside it says who keeps it.
    @Test(arguments: ["@unchecked Sendable", "nonisolated(unsafe)", "fatalError(", "try!"])
    func promiseIsExplained(_ promise: String) throws {
        for path in try #require(Self.swift) {
            let lines = try Repository.lines(path)
            for (number, line) in lines.enumerated() where holds(line, promise) {
                let near = lines[max(0, number - 3)...min(lines.count - 1, number + 1)]
                #expect(near.contains { $0.contains("//") }, "\(path):\(number + 1) says no word about `\(promise)`")
            }
        }
    }

    /// What decides and what translates is safe throughout. `Wire` only takes the event loop's buffer to read from.
    @Test(arguments: [
        ("Core", ["@unchecked", "nonisolated(unsafe)", "Unsafe", "unsafe"]),
        ("Dialects", ["@unchecked", "nonisolated(unsafe)", "Unsafe", "unsafe"]),
        ("OrderedJSON", ["@unchecked", "nonisolated(unsafe)", "Unsafe"]),
        ("Rules", ["@unchecked", "nonisolated(unsafe)", "Unsafe", "unsafe"]),
        ("Text", ["@unchecked", "nonisolated(unsafe)", "Unsafe", "unsafe"]),
        ("Wire", ["@unchecked", "nonisolated(unsafe)", "UnsafeMutable"]),
    ])
    func hasNothingUnsafe(_ target: String, _ words: [String]) throws {
        for path in try Repository.files(in: "Sources/" + target, ending: ".swift") {
            for word in words {
                let found = try Repository.lines(path).filter { holds($0, word) }
                #expect(found == [], "\(path)")
            }
        }
    }

    /// Another dialect uses it as it is.
    @Test(arguments: ["HTTP", "RPC"]) func theMachineryNamesNoClient(_ machinery: String) throws {
        let declaration = /^(?:package |private |fileprivate )?(?:final )?(?:class|enum|protocol|struct) (\w+)/
        var names: Set<String> = ["Claude", "cdev", "claude"]
        for directory in [
            "Sources/Dialects/Cdev", "Sources/Dialects/Claudiator", "Sources/Dialects/Hooks", "Sources/Dialects/OpenAI",
            "Sources/Agents/Relay",
        ] {
            for path in try Repository.files(in: directory, ending: ".swift") {
                names.formUnion(
                    try Repository.lines(path).compactMap { $0.firstMatch(of: declaration) }.map { String($0.1) })
            }
        }
        for path in try Repository.files(in: "Sources/Dialects/" + machinery, ending: ".swift") {
            let words = Set(
                try Repository.text(path).split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
            #expect(words.intersection(names) == [], "\(path)")
        }
    }

    /// The compiler (6.3) gives an async closure that has a capture list no caller's isolation: each call of it leaves
    /// the loop's actor and comes back, two more jobs of the loop for every request. Without the list it does not.
    @Test func handlersHaveNoCaptureLists() throws {
        let paths = try Repository.files(in: "Sources/Dialects", ending: ".swift") + ["Sources/Daemon/Run/Router.swift"]
        for path in paths where path.contains("/Methods/") || path.hasSuffix("Routes.swift") || path.contains("Router")
        {
            let found = try Repository.lines(path).filter { $0.contains("later { [") || $0.contains(") { [") }
            #expect(found == [], "\(path)")
        }
    }

    @Test func nothingIsLeftForLater() throws {
        let marks = ["TODO", "FIX" + "ME"]
        let own = "Tests/Architecture/SourceTests.swift"
        for path in try #require(Self.swift) + #require(Self.tests) where path != own {
            let found = try Repository.lines(path).filter { line in marks.contains { line.contains($0) } }
            #expect(found == [], "\(path)")
        }
    }

    private func holds(_ line: String, _ word: String) -> Bool {
        let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line[...]
        return code.contains(word)
    }
}
