import Core
import Testing

@Suite struct FolderSnapshotTests {
    private func stamp(_ inode: UInt64, size: Int64 = 1, modified: Int64 = 5) -> EntryStamp {
        EntryStamp(inode: inode, size: size, modified: modified, isDirectory: false)
    }

    private func changes(_ before: FolderSnapshot, _ after: FolderSnapshot) throws -> [String] {
        after.changes(since: before, of: try WorkspacePath("src")).map { change in
            "\(change.kind.rawValue) \(change.path.text)" + (change.oldPath.map { " from \($0.text)" } ?? "")
        }
    }

    @Test func eachChangeIsTold() throws {
        let before = FolderSnapshot(["a": stamp(1), "b": stamp(2), "c": stamp(3), "d": stamp(4)])
        let after = FolderSnapshot(["a": stamp(1), "b": stamp(2, size: 9), "e": stamp(3), "f": stamp(6)])
        #expect(
            try changes(before, after) == [
                "modified src/b", "deleted src/d", "renamed src/e from src/c", "created src/f",
            ])
        #expect(try changes(after, after) == [])
    }

    /// An editor that writes a new file in place of the old.
    @Test func aReplacedFileIsModified() throws {
        #expect(try changes(FolderSnapshot(["a": stamp(1)]), FolderSnapshot(["a": stamp(2)])) == ["modified src/a"])
    }

    /// The number of a file that is gone is soon another's.
    @Test func anotherFileWithTheNumberIsNew() throws {
        let after = FolderSnapshot(["b": stamp(1, modified: 6)])
        #expect(try changes(FolderSnapshot(["a": stamp(1)]), after) == ["deleted src/a", "created src/b"])
    }

    @Test func tooManyChangesAreOneOfTheFolder() throws {
        let many = Dictionary(uniqueKeysWithValues: (0..<51).map { ("\($0)", stamp(UInt64($0))) })
        #expect(try changes(FolderSnapshot([:]), FolderSnapshot(many)) == ["modified src"])
        #expect(try changes(.large, FolderSnapshot([:])) == ["modified src"])
        #expect(try changes(.gone, FolderSnapshot([:])) == ["created src"])
        #expect(try changes(FolderSnapshot([:]), .gone) == ["deleted src"])
        #expect(try changes(.gone, .gone) == [])
    }
}
