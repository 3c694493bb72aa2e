import Core
import Dialects
import OrderedJSON
import Services
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct GitRightTests {
    static let writing = [
        "branch/delete", "checkout", "commit", "discard", "fetch", "init", "merge/abort", "pull", "push", "stage",
        "stash/apply", "stash/drop", "stash/pop", "stash/push", "unstage",
    ]
    static let reading = ["branches", "diff", "get_status", "log", "show", "stash/list", "status"]

    @Test func everyMethodHasItsRightAndBothNames() throws {
        let table = MethodTable([
            GitMethods(git: GitManager(workspaces: NamedWorkspaces([:]), runner: NoGit(), files: NoGit()))
        ])
        let rights = Dictionary(uniqueKeysWithValues: table.methods.map { ($0.name, $0.right) })
        #expect(rights.count == 2 * (Self.reading.count + Self.writing.count))
        for prefix in ["git/", "workspace/git/"] {
            for name in Self.reading { #expect(rights[prefix + name] == .read) }
            for name in Self.writing { #expect(rights[prefix + name] == .drive) }
        }
    }

    @Test(arguments: [Set<Right>.viewer, .approver, .agent]) func onlyWhoDrivesMayWrite(rights: Set<Right>) async throws
    {
        let calls = try GitCalls()
        let params: JSON = ["workspace_id": "ws-abc123", "paths": ["a"]]
        calls.sandbox.sh("echo 1 > a")
        let refused = try await calls.reply("git/stage", params, FakeClient(rights: rights))
        #expect(refused["error"]?["code"] == -32600)
        #expect(calls.sandbox.sh("git status --porcelain") == "?? a\n")
        #expect(try await calls.reply("git/stage", params, FakeClient(rights: .driver))["result"]?["success"] == true)
    }

    @Test func secretsAreForWhoDrives() async throws {
        let calls = try GitCalls()
        try calls.sandbox.commit([".env": "A=1\n"])
        calls.sandbox.sh("echo SECRET=1 > .env; echo SECRET=2 > .env.local")
        for path in [".env", ".env.local", "", "."] {
            var params: JSONObject = ["workspace_id": "ws-abc123"]
            if !path.isEmpty { params["path"] = .string(path) }
            for method in ["git/diff", "workspace/git/diff"] {
                let seen = try await calls.reply(method, .object(params), FakeClient(rights: .approver))["result"]
                #expect(seen?["is_sensitive"] == true && seen?["diff"] == "" && seen?["reason"] != nil)
                #expect(seen?.serialized().contains("SECRET") == false)
                let whole = try await calls.reply(method, .object(params), FakeClient(rights: .driver))["result"]
                #expect(whole?["is_sensitive"] == false && whole?["diff"]?.stringValue?.contains("SECRET") == true)
            }
        }
    }

    @Test func badParametersAreNamed() async throws {
        let calls = try GitCalls()
        let cases: [(String, JSON, String)] = [
            ("git/status", [:], "workspace_id"), ("git/stage", ["workspace_id": "ws-abc123"], "paths"),
            ("git/stage", ["workspace_id": "ws-abc123", "paths": []], "paths"),
            ("git/stage", ["workspace_id": "ws-abc123", "paths": ["a", "../b"]], "paths[1]"),
            ("git/discard", ["workspace_id": "ws-abc123", "paths": ["/etc/passwd"]], "paths[0]"),
            ("git/diff", ["workspace_id": "ws-abc123", "path": "a/../../b"], "path"),
            ("git/commit", ["workspace_id": "ws-abc123", "message": ""], "message"),
            ("git/push", ["workspace_id": "ws-abc123", "force": "yes"], "force"),
            ("git/status", ["workspace_id": "none"], "workspace_id"),
        ]
        for (method, params, name) in cases {
            let error = try await calls.reply(method, params)["error"]
            #expect(error?["code"] == -32602 && error?["message"]?.stringValue?.contains(name) == true, "\(method)")
        }
    }

    @Test func withoutARepositoryThereIsAnError() async throws {
        let calls = try GitCalls(isRepository: false)
        for method in ["git/status", "git/commit"] {
            let error = try await calls.reply(method, ["workspace_id": "ws-abc123", "message": "m"])["error"]
            #expect(error?["code"] == -32031 && error?["data"]?["kind"] == "not_a_repository")
        }
    }

    /// A hundred thousand files: the answer fits a frame and says how many there are.
    @Test func longListsFitAFrame() async throws {
        var status = GitStatus()
        status.untracked = (0..<100_000).map { GitStatus.Entry(GitPath("dir/file number \($0)\n".utf8), "?") }
        status.staged = [GitStatus.Entry(GitPath("a".utf8), "M")]
        let calls = try GitCalls(git: OneStatus(report: GitStatusReport(status: status, operation: nil, root: "/p")))
        let reply = try await calls.reply("git/status", ["workspace_id": "w"])
        #expect(reply.serialized().utf8.count <= 1 << 20)
        #expect(reply["result"]?["truncated"] == true && reply["result"]?["counts"]?["untracked"] == 100_000)
        #expect(reply["result"]?["staged"]?.arrayValue?.count == 1)
        #expect(reply["result"]?["untracked"]?.arrayValue?.count ?? 0 > 10_000)
    }

    @Test func hostileDifferencesFitAFrame() async throws {
        let patch = Array("diff --git a/a b/a\n@@ -1 +1 @@\n".utf8) + [UInt8](repeating: 1, count: 900_000)
        let report = GitDiffReport(patch: patch, isCut: false, isNew: false, hidden: [])
        let calls = try GitCalls(git: OneStatus(diff: report))
        let reply = try await calls.reply("git/diff", ["workspace_id": "w"])
        #expect(reply.serialized().utf8.count <= 1 << 20 && reply["result"]?["truncated"] == true)
    }
}
