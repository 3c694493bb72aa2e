import Core
import Dialects
import Host
import OrderedJSON
import Services
import TestSupport
import Testing
import Wire

/// Methods over a real repository. Each result is compared with the schema of its method.
struct GitCalls {
    let sandbox: GitSandbox
    private let table: MethodTable
    private let daemon = FakeDaemon()

    /// - Parameter git: In place of the real service.
    init(isRepository: Bool = true, git: (any GitService)? = nil) throws {
        let sandbox = try GitSandbox(isRepository: isRepository)
        self.sandbox = sandbox
        let service =
            git
            ?? GitManager(
                workspaces: NamedWorkspaces(["ws-abc123": sandbox.root]),
                runner: GitProgram(environment: sandbox.environment), files: WorkTreeFiles())
        table = MethodTable([GitMethods(git: service)])
    }

    func reply(
        _ method: String, _ params: JSON, _ client: FakeClient = FakeClient(),
        at place: SourceLocation = #_sourceLocation
    ) async throws -> JSON {
        let dispatcher = Dispatcher(access: daemon, table: table, mostAnswered: .max) {
            .invalidRequest("\($0.name) needs \($1.rawValue)")
        }
        let bytes = await dispatcher.reply(to: JSONRPC.decode(Array(call(method, params).utf8)), from: client)
        let reply = try JSON(parsing: try #require(bytes))
        if let result = reply["result"], let method = table[method] {
            #expect(
                SchemaCheck.complaints(about: result, method.result) == [], "\(method.name)", sourceLocation: place)
        }
        return reply
    }

    /// The result of a call in the workspace.
    func ask(_ method: String, _ params: JSONObject = [:], at place: SourceLocation = #_sourceLocation) async throws
        -> JSON
    {
        var params = params
        params["workspace_id"] = "ws-abc123"
        let reply = try await reply(method, .object(params), at: place)
        return try #require(reply["result"], "\(reply.serialized())", sourceLocation: place)
    }
}

/// True if `value` has every member of `example`, with equal values; it may have more members.
func holds(_ example: JSON, _ value: JSON?) -> Bool {
    guard let value else { return false }
    if let members = example.objectValue { return members.allSatisfy { holds($0.value, value[$0.key]) } }
    if let elements = example.arrayValue, let others = value.arrayValue {
        return elements.count == others.count && zip(elements, others).allSatisfy { holds($0, $1) }
    }
    return example == value
}

/// The examples of the specification, on repositories that are as they say.
@Suite(.timeLimit(.minutes(2))) struct GitExampleTests {
    private func project() throws -> GitCalls {
        let calls = try GitCalls()
        try calls.sandbox.commit(["src/app.ts": "1\n2\n3\n4\n", "src/utils.ts": "u\n", "README.md": "r\n"])
        calls.sandbox.sh("git init -q --bare ../remote; git remote add origin ../remote; git push -q -u origin main")
        return calls
    }

    @Test(arguments: ["workspace/git/status", "git/status", "git/get_status"]) func status(method: String) async throws
    {
        let calls = try project()
        calls.sandbox.sh(
            """
            git commit -q --allow-empty -m 1; git commit -q --allow-empty -m 2
            { seq 3 14; } > src/app.ts; git add src; echo x >> README.md; echo n > new-file.ts
            """)
        let example: JSON = [
            "branch": "main", "upstream": "origin/main", "ahead": 2, "behind": 0,
            "staged": [["path": "src/app.ts", "status": "M", "additions": 10, "deletions": 2]],
            "unstaged": [["path": "README.md", "status": "M"]],
            "untracked": [["path": "new-file.ts", "status": "?"]], "conflicted": [], "repo_name": "my-project",
            "repo_root": .string(calls.sandbox.root),
        ]
        let result = try await calls.ask(method)
        #expect(holds(example, result), "\(result.serialized())")
    }

    @Test func diff() async throws {
        let calls = try project()
        calls.sandbox.sh("echo 5 >> src/app.ts")
        let result = try await calls.ask("workspace/git/diff", ["path": "src/app.ts"])
        #expect(holds(["path": "src/app.ts", "is_staged": false, "is_new": false], result))
        #expect(result["diff"]?.stringValue?.hasPrefix("diff --git a/src/app.ts b/src/app.ts\n") == true)
    }

    @Test func stageUnstageDiscard() async throws {
        let calls = try project()
        calls.sandbox.sh("echo 5 >> src/app.ts; echo 5 >> src/utils.ts")
        let both: JSON = ["src/app.ts", "src/utils.ts"]
        #expect(holds(["success": true, "staged": both], try await calls.ask("workspace/git/stage", ["paths": both])))
        let one: JSON = ["src/app.ts"]
        #expect(
            holds(["success": true, "unstaged": one], try await calls.ask("workspace/git/unstage", ["paths": one])))
        #expect(
            holds(["success": true, "discarded": one], try await calls.ask("workspace/git/discard", ["paths": one])))
    }

    @Test func commitPushAndPull() async throws {
        let calls = try project()
        calls.sandbox.sh("echo 1 > a; echo 1 > b; echo 1 > c; git add a b c")
        let committed = try await calls.ask("workspace/git/commit", ["message": "feat: add new feature", "push": true])
        let example: JSON = [
            "success": true, "message": "Committed and pushed to origin/main", "files_committed": 3, "pushed": true,
        ]
        #expect(holds(example, committed), "\(committed.serialized())")
        #expect(committed["sha"]?.stringValue?.utf8.count == 7)
        calls.sandbox.sh("git commit -q --allow-empty -m 1; git commit -q --allow-empty -m 2")
        let order: JSONObject = ["force": false, "set_upstream": false, "remote": "origin", "branch": "main"]
        let pushed = try await calls.ask("workspace/git/push", order)
        #expect(holds(["success": true, "message": "Pushed to origin/main", "commits_pushed": 2], pushed))
        calls.sandbox.sh(
            "git clone -q ../remote ../o; cd ../o; echo o > src/app.ts; echo o > README.md; git commit -qam o; git push -q"
        )
        let pulled = try await calls.ask("workspace/git/pull", ["rebase": false])
        #expect(holds(["success": true, "message": "Pulled from origin/main"], pulled), "\(pulled.serialized())")
    }

    @Test func aPullWithConflicts() async throws {
        let calls = try project()
        calls.sandbox.sh(
            """
            git clone -q ../remote ../o; cd ../o; echo o > src/app.ts; echo o > README.md; git commit -qam o; git push -q
            cd - > /dev/null; echo m > src/app.ts; echo m > README.md; git commit -qam m
            """)
        let example: JSON = [
            "success": false, "error": "Merge conflict", "conflicted_files": ["README.md", "src/app.ts"],
        ]
        let result = try await calls.ask("workspace/git/pull", ["rebase": false])
        #expect(holds(example, result), "\(result.serialized())")
    }

    @Test func branchesAndCheckout() async throws {
        let calls = try project()
        calls.sandbox.sh("git branch feature/new")
        let example: JSON = [
            "current": "main", "upstream": "origin/main", "ahead": 0, "behind": 0,
            "branches": [
                ["name": "feature/new", "is_current": false, "is_remote": false],
                ["name": "main", "is_current": true, "is_remote": false, "upstream": "origin/main"],
                ["name": "origin/main", "is_current": false, "is_remote": true],
            ],
        ]
        let result = try await calls.ask("workspace/git/branches")
        #expect(holds(example, result), "\(result.serialized())")
        let switched = try await calls.ask("workspace/git/checkout", ["branch": "feature/new", "create": false])
        let message: JSON = "Switched to branch 'feature/new'"
        #expect(holds(["success": true, "branch": "feature/new", "message": message], switched))
        calls.sandbox.sh("echo f > README.md; git commit -qam f; echo dirty > README.md")
        let refused = try await calls.ask("workspace/git/checkout", ["branch": "main"])
        #expect(refused["success"] == false)
        #expect(refused["error"]?.stringValue?.hasPrefix("Cannot switch branches: You have unstaged changes") == true)
    }

    @Test func theOthersAnswerToo() async throws {
        let calls = try project()
        #expect(try await calls.ask("git/log", ["limit": 1])["commits"]?.arrayValue?.count == 1)
        #expect(try await calls.ask("git/show", ["sha": "HEAD"])["files_changed"] == 3)
        calls.sandbox.sh("echo 2 > README.md")
        #expect(try await calls.ask("git/stash/push", ["message": "m"])["success"] == true)
        let stash = try await calls.ask("git/stash/list")["stashes"]?.arrayValue?.first
        let id = try #require(stash?["sha"])
        #expect(try await calls.ask("git/stash/apply", ["sha": id])["success"] == true)
        calls.sandbox.sh("git checkout -q .")
        #expect(try await calls.ask("git/stash/pop")["success"] == true)
        calls.sandbox.sh("git stash -q")
        #expect(try await calls.ask("git/stash/drop", ["index": 0])["success"] == true)
        #expect(try await calls.ask("git/stash/drop")["kind"] == "unknown_name")
        #expect(try await calls.ask("git/fetch", ["remote": "origin"])["success"] == true)
        #expect(try await calls.ask("git/merge/abort")["kind"] == "nothing_to_do")
        #expect(try await calls.ask("git/checkout", ["branch": "x", "create": true])["branch"] == "x")
        #expect(try await calls.ask("git/checkout", ["branch": "main"])["success"] == true)
        #expect(try await calls.ask("git/branch/delete", ["branch": "x"])["success"] == true)
        #expect(try await calls.ask("git/init")["success"] == false)
    }
}
