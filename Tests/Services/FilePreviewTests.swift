import Core
import Foundation
import Host
import OrderedJSON
import Services
import TestSupport
import Testing

private struct Disk: FileReader {
    func contents(of path: String) throws(PreviewRefusal) -> [UInt8]? { try ChangedFile().contents(of: path) }
}

/// Which files are read for a preview.
@Suite struct FilePreviewTests {
    private let directory: PrivateHome
    private let evaluator: EngineEvaluator
    private var root: String { directory.path + "/home/work" }

    init() throws {
        directory = try PrivateHome()
        evaluator = EngineEvaluator(paths: DiskPaths(), commands: .shipped, home: directory.path + "/home")
        try FileManager.default.createDirectory(
            atPath: directory.path + "/home/work/sub", withIntermediateDirectories: true)
        try write("a.txt", "one\ntwo\n")
    }

    private func write(_ path: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: root + "/" + path))
    }

    private func preview(
        _ path: String, tool: String = "Write", input: JSONObject = ["content": "new\n"], isUnverified: Bool = false,
        root: String? = nil, isElsewhere: Bool = false
    ) -> Preview? {
        var input = input
        input[tool == "NotebookEdit" ? "notebook_path" : "file_path"] = .string(path)
        let request = PermissionRequest(
            id: "r", toolUseID: "t", sessionID: "s", event: .preToolUse, tool: .claude(tool),
            input: KeptJSON(.object(input)),
            cwd: self.root, createdAt: Timestamp(milliseconds: 0), deadline: Timestamp(milliseconds: 1),
            isUnverified: isUnverified)
        return FilePreview.make(
            of: request, input: request.toolInput,
            at: isElsewhere ? nil : RulePlace(root: root ?? self.root, cwd: self.root), evaluator: evaluator,
            files: Disk())
    }

    private func refusal(_ preview: Preview?) -> PreviewRefusal? {
        if case .text(_, "new\n", let refusal) = preview { refusal } else { nil }
    }

    private func counts(_ preview: Preview?) -> [Int] {
        if case .diff(_, let diff) = preview { [diff.removed, diff.added] } else { [] }
    }

    @Test func readsWhatLiesUnderTheRoot() throws {
        #expect(counts(preview(root + "/a.txt")) == [2, 1])
        #expect(counts(preview("a.txt")) == [2, 1], "from the working directory")
        #expect(counts(preview("sub/../a.txt")) == [2, 1])
        #expect(counts(preview("sub/new.txt")) == [0, 1])
        #expect(counts(preview("nowhere/new.txt")) == [0, 1])
        try FileManager.default.createSymbolicLink(atPath: root + "/link", withDestinationPath: "a.txt")
        #expect(counts(preview("link")) == [2, 1], "the file it leads to")
        let edit: JSONObject = ["old_string": "two", "new_string": "2"]
        #expect(counts(preview("a.txt", tool: "Edit", input: edit)) == [1, 1])
    }

    @Test func readsNothingElse() throws {
        try Data("secret\n".utf8).write(to: URL(filePath: directory.path + "/outside"))
        let links = ["out": "../../outside", "env": ".env", "loop": "loop", "abs": directory.path + "/outside"]
        for (name, target) in links {
            try FileManager.default.createSymbolicLink(atPath: root + "/" + name, withDestinationPath: target)
        }
        try write(".env", "KEY=secret\n")
        #expect(refusal(preview(directory.path + "/outside")) == .outside)
        #expect(refusal(preview("../../outside")) == .outside)
        #expect(refusal(preview("out")) == .outside && refusal(preview("abs")) == .outside)
        #expect(refusal(preview(".env")) == .sensitive && refusal(preview("env")) == .sensitive)
        #expect(refusal(preview(".git/config")) == .sensitive && refusal(preview("ID_RSA")) == .sensitive)
        #expect(refusal(preview("loop")) == .uncertain)
        #expect(refusal(preview("~/a.txt")) == .notUnderstood)
        #expect(refusal(preview("a.txt", input: ["content": "new\n", "mode": 7])) == .notUnderstood)
        #expect(refusal(preview("a.txt", isUnverified: true)) == .unverified)
        #expect(refusal(preview("a.txt", root: "")) == .unknownRoot)
    }

    @Test(.timeLimit(.minutes(1))) func readsRegularFilesOnly() throws {
        mkfifo(root + "/pipe", 0o600)
        #expect(refusal(preview("pipe")) == .notRegular, "and does not wait for a writer")
        #expect(refusal(preview("sub")) == .notRegular)
        try FileManager.default.createSymbolicLink(atPath: root + "/null", withDestinationPath: "/dev/null")
        #expect(refusal(preview("null", root: "/")) == .notRegular)
    }

    @Test func readsTextUpToAMegabyte() throws {
        try write("large", String(repeating: "x", count: 1 << 20))
        #expect(counts(preview("large")) == [1, 1])
        try write("larger", String(repeating: "x", count: (1 << 20) + 1))
        #expect(refusal(preview("larger")) == .large(bytes: 1 << 20))
        try Data([0x66, 0xFF, 0x0A]).write(to: URL(filePath: root + "/binary"))
        #expect(refusal(preview("binary")) == .notText)
        try write("nul", "a\u{0}b")
        #expect(refusal(preview("nul")) == .notText)
    }

    @Test func saysWhyAFileCannotBeRead() throws {
        try write("closed", "x")
        try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: root + "/closed")
        // The superuser reads it all the same.
        guard geteuid() != 0 else { return }
        #expect(refusal(preview("closed")) == .unreadable("permission denied"))
    }

    @Test func takesPlansAndNothingElse() {
        let plan = PermissionRequest(
            id: "r", toolUseID: "t", sessionID: "s", event: .permissionRequest, tool: .claude("ExitPlanMode"),
            input: KeptJSON(["plan": "# P"]), cwd: "/", createdAt: Timestamp(milliseconds: 0),
            deadline: Timestamp(milliseconds: 1))
        #expect(
            FilePreview.make(
                of: plan, input: plan.toolInput, at: RulePlace(root: "", cwd: ""), evaluator: evaluator, files: Disk())
                == .plan("# P"))
        var empty = plan
        empty.input = KeptJSON([:])
        #expect(
            FilePreview.make(
                of: empty, input: empty.toolInput, at: RulePlace(root: "", cwd: ""), evaluator: evaluator, files: Disk()
            )
                == .text(path: "", text: "", .emptyPlan))
        #expect(preview("a.txt", tool: "Bash") == nil && preview("a.txt", tool: "Read") == nil)
    }
}
