import Core
import Testing

@Suite struct WorkspacePathTests {
    @Test(arguments: [
        ("", ""), (".", ""), ("src/main.ts", "src/main.ts"), ("./src//main.ts/", "src/main.ts"), ("a\nb", "a\nb"),
        ("...", "..."), (" ", " "), ("\\..\\x", "\\..\\x"),
    ])
    func isRead(_ text: String, as path: String) throws {
        #expect(try WorkspacePath(text).text == path)
    }

    @Test(arguments: [
        ("/etc/passwd", WorkspacePathFault.absolute), ("..", .leaves), ("a/../b", .leaves), ("a/..", .leaves),
        ("a\0b", .holdsNUL), (String(repeating: "x", count: 4096), .long(bytes: 4095)),
        (String(repeating: "a/", count: 256), .deep(names: 255)),
    ])
    func isRefused(_ text: String, _ fault: WorkspacePathFault) {
        #expect(throws: fault) { try WorkspacePath(text) }
    }

    /// A slash and a combining mark are one character, and yet a slash to the kernel.
    @Test func isSplitAsTheKernelSplits() throws {
        #expect(throws: WorkspacePathFault.leaves) { try WorkspacePath("a/\u{301}b/../../c") }
        #expect(throws: WorkspacePathFault.absolute) { try WorkspacePath("/\u{301}etc") }
        #expect(try WorkspacePath("a/\u{301}b").names.count == 2)
    }

    @Test(arguments: [
        (".env", true), ("deploy/.env.local", true), (".git/config", true), ("a/.git", true), ("server.PEM", true),
        ("id_ed25519.pub", true), (".claude/settings.json", true), (".env.example", false), ("src/main.ts", false),
        (".gitignore", false), ("", false),
    ])
    func isSensitiveAsForRules(_ text: String, _ isSensitive: Bool) throws {
        #expect(try WorkspacePath(text).isSensitive == isSensitive)
    }

    @Test(arguments: [
        ("README.md", "md"), ("a.tar.gz", "gz"), (".profile", ""), ("Makefile", ""), ("x.", ""), (".a.b", "b"),
    ])
    func theExtensionIsBehindTheLastDot(_ name: String, _ end: String) {
        #expect(WorkspacePath.fileExtension(of: name) == end)
    }
}
