import Core
import Testing

@Suite struct GitProblemTests {
    private func problem(_ errors: String, _ output: String = "") -> GitProblem {
        GitProblem(GitOutput(status: 1, output: Array(output.utf8), errors: Array(errors.utf8)))
    }

    static let texts: [(String, GitProblem.Kind)] = [
        ("fatal: not a git repository (or any of the parent directories): .git\n", .notARepository),
        ("fatal: detected dubious ownership in repository at '/x'\n", .owner),
        ("fatal: this operation must be run in a work tree\n", .bare),
        ("Author identity unknown\n\n*** Please tell me who you are.\n", .identity),
        ("fatal: Unable to create '/x/.git/index.lock': File exists.\n", .locked),
        ("fatal: could not read Username for 'https://h': terminal prompts disabled\n", .authentication),
        ("git@h: Permission denied (publickey).\nfatal: Could not read from remote repository.\n", .authentication),
        ("fatal: unable to access 'https://h/': Could not resolve host: h\n", .network),
        ("error: failed to push some refs to 'x'\n ! [rejected] main -> main (fetch first)\n", .rejected),
        ("fatal: The current branch a has no upstream branch.\n", .noUpstream),
        ("fatal: Need to specify how to reconcile divergent branches.\n", .diverged),
        ("error: Your local changes to the following files would be overwritten by checkout:\n", .overwrites),
        ("error: The branch 'a' is not fully merged.\n", .notMerged),
        ("error: pathspec 'x' did not match any file(s) known to git\n", .unknownName),
        ("fatal: a branch named 'x' already exists\n", .branchExists),
        ("error: No space left on device\n", .disk),
        ("error: failed to push some refs to 'x'\n", .hook),
        // A hook's words are no words of git's.
        ("sh: foo: not found\nthe file already exists\n", .other),
        ("", .other),
    ]

    @Test(arguments: texts.indices) func knowsWhatGitMeans(index: Int) {
        let (text, kind) = Self.texts[index]
        let problem = problem(text)
        #expect(problem.kind == kind, "\(problem.message)")
        #expect(!problem.message.isEmpty)
    }

    @Test func sayNoPasswords() {
        let text = "fatal: unable to access 'https://ann:s3cret@h.example/x/': failed, http://tok@h, a@b, x://y z@w"
        let plain = "fatal: unable to access 'https://…@h.example/x/': failed, http://…@h, a@b, x://y z@w"
        #expect(problem(text).output == plain)
        #expect(problem(text).message == String(plain.dropFirst("fatal: ".count)))
    }

    @Test func longTextsAreCut() {
        let text = String(repeating: "ä", count: 40_000) + "\nfatal: the end"
        #expect(problem(text).output.utf8.count < 17_000 && problem(text).message == "the end")
    }
}
