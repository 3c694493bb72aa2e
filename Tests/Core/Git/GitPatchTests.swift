import Core
import Testing

@Suite struct GitPatchTests {
    private func sections(_ text: String) -> [GitPatch.Section] { GitPatch(Array(text.utf8)).sections }

    static let headers: [(String, [String])] = [
        (
            "diff --git a/x y b/x y\nindex 1..2 100644\n--- a/x y\t\n+++ b/x y\t\n@@ -1 +1 @@\n-diff --git a/z b/z\n+--- a/q\n",
            ["x y"]
        ),
        ("diff --git a/a b/b b/a b/b\nnew file mode 100644\n", ["a b/b"]),
        ("diff --git a/old b/new\nsimilarity index 100%\nrename from old\nrename to new\n", ["new", "old"]),
        (#"diff --git "a/a\nb" "b/a\nb""# + "\ndeleted file mode 100644\n", ["a\nb"]),
        (#"diff --git a/x "b/a\"b""# + "\nrename from x\nrename to \"a\\\"b\"\n", ["a\"b", "x"]),
        ("diff --git a/p.png b/p.png\nindex 1..2\nBinary files a/p.png and b/p.png differ\n", ["p.png"]),
        ("diff --cc merged\nindex 1,2..3\n--- a/merged\n+++ b/merged\n@@@ -1,1 -1,1 +1,1 @@@\n", ["merged"]),
        ("* Unmerged path both\n", ["both"]),
    ]

    @Test(arguments: headers.indices) func knowsThePaths(index: Int) {
        let (text, paths) = Self.headers[index]
        let found = sections(text)
        #expect(found.count == 1)
        #expect(found.first?.paths.map(\.text).sorted() == paths)
    }

    @Test func takesTheSectionsApart() {
        let whole = Self.headers.map(\.0).joined()
        let found = sections(whole)
        #expect(found.count == Self.headers.count)
        #expect(found.flatMap { Array($0.bytes) } == Array(whole.utf8))
        #expect(found.map(\.isNew) == [false, true, false, false, false, false, false, false])
    }

    @Test func hidesWhatMayBeSensitive() {
        #expect(sections("diff --git a/.env b/.env\n")[0].isSensitive)
        #expect(sections("diff --git a/.env b/env.txt\nrename from .env\nrename to env.txt\n")[0].isSensitive)
        #expect(sections("diff --git a/src/a b/src/a\n")[0].isSensitive == false)
        // Nobody can tell what it is about.
        #expect(sections("diff --git a/one b/other\nindex\n")[0].isSensitive)
        #expect(sections("diff --hidden what\n")[0].isSensitive)
    }

    @Test func showsANewFile() {
        func patch(_ text: String, _ path: String = "a b") -> String {
            let bytes = GitNewFile.patch(GitPath(path.utf8), GitFileContent(bytes: Array(text.utf8)))
            return String(decoding: bytes, as: UTF8.self)
        }
        let head = "diff --git a/a b b/a b\nnew file mode 100644\n"
        #expect(patch("") == head)
        #expect(patch("x\n") == head + "--- /dev/null\n+++ b/a b\n@@ -0,0 +1 @@\n+x\n")
        #expect(
            patch("x\n\ny") == head
                + "--- /dev/null\n+++ b/a b\n@@ -0,0 +1,3 @@\n+x\n+\n+y\n\\ No newline at end of file\n")
        #expect(patch("x\u{0}") == head + "Binary files /dev/null and b/a b differ\n")
        #expect(patch("x\n", "a\nb").hasPrefix("diff --git \"a/a\\nb\" \"b/a\\nb\"\n"))
        #expect(sections(patch("x\n", "a\nb"))[0].paths.map(\.text) == ["a\nb"])
    }
}
