import Testing

/// The house as `docs/architecture.md` draws it.
@Suite struct DirectionTests {
    /// Once for all of them: it takes the package manager more than a second.
    private static let described = Result { try TargetGraph.described() }
    private let graph: TargetGraph

    init() throws {
        graph = try Self.described.get()
    }

    /// The table in the document is the rule: to change the direction, change it there first.
    @Test func documentedEdgesAreTheDeclaredOnes() throws {
        let documented = try Markdown.table(in: "docs/architecture.md", headed: "target")
        let edges = Dictionary(uniqueKeysWithValues: documented.map { ($0[0].code[0], Set($0[1].code)) })
        let declared = graph.targets.filter { !$0.isTest && $0.path.hasPrefix("Sources/") }
        #expect(Set(edges.keys) == Set(declared.map(\.name)))
        for target in declared {
            #expect(edges[target.name] == target.dependencies, "\(target.name) in docs/architecture.md")
        }
    }

    /// What no document may change.
    @Test(arguments: [
        ("Agents", ["CEvents", "CSQLite", "Daemon", "Dialects", "Host", "Loop", "Services", "Store", "Transport"]),
        (
            "Core",
            ["Agents", "CEvents", "CPlatform", "CSQLite", "Daemon", "Dialects", "Host", "Store", "Transport", "Wire"]
        ),
        ("Dialects", ["CEvents", "CSQLite", "Daemon", "Host", "Store", "Transport"]),
        ("Host", ["Agents", "CEvents", "CSQLite", "Daemon", "Dialects", "Store", "Transport", "Wire"]),
        ("Loop", ["Core", "Daemon", "Host", "OrderedJSON", "Store", "Transport", "Wire"]),
        ("Markdown", ["Core", "OrderedJSON", "Wire"]),
        ("Notify", ["CEvents", "CSQLite", "Daemon", "Dialects", "Host", "Store", "Transport"]),
        ("OrderedJSON", ["Core", "Wire"]),
        ("Platform", ["CEvents", "Core", "OrderedJSON", "Transport", "Wire"]),
        (
            "Rules",
            ["CEvents", "Core", "CPlatform", "Daemon", "Dialects", "Host", "Platform", "Store", "Transport", "Wire"]
        ),
        (
            "Services",
            [
                "Agents", "CEvents", "COpenSSL", "CSQLite", "Daemon", "Dialects", "Host", "Loop", "Notify", "Store",
                "Transport",
                "Wire",
            ]
        ),
        ("Store", ["Agents", "CEvents", "Daemon", "Dialects", "Host", "Transport", "Wire"]),
        ("Text", ["Core", "OrderedJSON", "Rules", "Wire"]),
        ("Transport", ["Agents", "Core", "CSQLite", "Daemon", "Dialects", "Host", "Store"]),
        ("Wire", ["Core", "CEvents", "Transport"]),
    ])
    func neverReached(by target: String, others: [String]) throws {
        #expect(graph.closure(of: target).intersection(others) == [])
    }

    @Test func theRelayDependsOnNothing() throws {
        #expect(graph.closure(of: "cdev-hook") == [])
    }

    @Test func onlyTheCommandsReachEveryPart() throws {
        let users = graph.targets.filter { !$0.isTest && $0.dependencies.contains("Daemon") }.map(\.name)
        #expect(users == ["Commands"])
    }

    /// Beside what a target declares, a few system modules, by target.
    @Test func filesImportOnlyWhatTheirTargetDeclares() throws {
        for target in graph.targets where !target.isTest {
            let allowed = target.dependencies.union(SystemModules.allowed(in: target.name))
            for path in try Repository.files(in: target.path, ending: ".swift") {
                let foreign = try Imports.modules(in: path).subtracting(allowed)
                #expect(foreign == [], "\(path)")
            }
        }
    }

    @Test(arguments: [
        ("Sources", #"^\s*(?:public|open (?:class|func|var))\b"#), ("Tests", #"^\s*@testable\b"#),
    ])
    func nothingIsExportedAndNothingPriedOpen(_ directory: String, _ words: String) throws {
        let pattern = try Regex(words)
        for path in try Repository.files(in: directory, ending: ".swift") {
            let found = try Repository.lines(path).filter { $0.contains(pattern) }
            #expect(found == [], "\(path)")
        }
    }
}

enum SystemModules {
    /// Targets that may speak to the operating system. `Core`, `Dialects`, `OrderedJSON`, `Rules`, `Text` and `Wire` are pure.
    private static let system: Set<String> = [
        "Agents", "Commands", "Crypto", "Daemon", "Host", "Loop", "Notify", "Platform", "Transport", "cdev-hook",
        "codec-probe",
        "rule-probe",
    ]

    static func allowed(in target: String) -> Set<String> {
        if system.contains(target) { return ["Darwin", "Glibc"] }
        return target == "Core" ? ["FoundationEssentials"] : []
    }
}

enum Imports {
    static func modules(in path: String) throws -> Set<String> {
        // Deeper than in an `#if`, the word belongs to a program in a string.
        let pattern = /^ {0,4}(?:@\w+ )*(?:(?:package|public|internal|private|fileprivate) )?import (?:\w+ )?(\w+)/
        return Set(try Repository.lines(path).compactMap { $0.firstMatch(of: pattern).map { String($0.1) } })
    }
}
