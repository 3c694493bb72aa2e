import Core
import Glibc
import Host
import Platform
import TestSupport
import Testing

/// Lines are read from a file that grows, and read on by the next process.
@Suite struct ChildSpoolTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.write("", to: "out")
    }

    private func append(_ text: String) {
        guard let file = fopen(directory("out"), "a") else { return }
        fputs(text, file)
        fclose(file)
    }

    private func spool(from offset: Int64 = 0, longestLine: Int = 1 << 20) throws -> ChildSpool {
        try ChildSpool(directory("out"), from: offset, longestLine: longestLine)
    }

    private func texts(_ spool: ChildSpool) -> [String?] {
        spool.read().lines.map { $0.bytes.map { String(decoding: $0, as: UTF8.self) } }
    }

    @Test func aLineIsReadOnceItHasItsEnd() throws {
        let spool = try spool()
        append("one\ntw")
        #expect(texts(spool) == ["one"])
        #expect(texts(spool) == [])
        append("o\n\nthree\n")
        #expect(texts(spool) == ["two", "", "three"])
    }

    @Test(arguments: 0..<17)
    func theNextReaderGoesOn(at cut: Int) throws {
        let text = "one\ntwo\nthr\n4444\n"
        append(String(text.prefix(cut)))
        let first = try spool().read().lines
        append(String(text.dropFirst(cut)))
        let second = try spool(from: first.last?.place.end ?? 0).read().lines
        let found = (first + second).compactMap { $0.bytes.map { String(decoding: $0, as: UTF8.self) } }
        #expect(found == ["one", "two", "thr", "4444"])
    }

    @Test func aPlaceLeadsBackToItsLine() throws {
        append("one\ntwo\nthree\n")
        let lines = try spool().read().lines
        #expect(lines.map(\.place.offset) == [0, 4, 8])
        for line in lines { #expect(try spool().line(at: line.place) == line.bytes) }
        #expect(try spool().line(at: SpoolPlace(offset: 1, length: 1)) == nil)
        #expect(try spool().line(at: SpoolPlace(offset: 8, length: 900)) == nil)
    }

    /// Its length is told, so that reading goes on behind it.
    @Test func aLineOfTooManyBytesIsLeftOut() throws {
        let spool = try spool(longestLine: 10)
        append("0123456789\n0123456789a")
        #expect(texts(spool) == ["0123456789"])
        append(String(repeating: "b", count: 50) + "\nnext\n")
        let lines = spool.read().lines
        #expect(lines.map(\.bytes) == [nil, Array("next".utf8)])
        #expect(lines[0].place == SpoolPlace(offset: 11, length: 61))
        #expect(lines[1].place.offset == 73)
    }

    @Test func aLineMayBeLongerThanWhatIsReadAtATime() throws {
        let spool = try spool(longestLine: 8 << 20)
        append(String(repeating: "x", count: 3 << 20) + "\nend\n")
        var (lines, isAtEnd) = ([ChildSpool.Line](), false)
        while !isAtEnd {
            let part = spool.read()
            lines += part.lines
            isAtEnd = part.isAtEnd
        }
        #expect(lines.map { $0.bytes?.count } == [3 << 20, 3])
    }

    @Test func whatWasReadIsGivenBackToTheDisk() throws {
        let spool = try spool(longestLine: 8 << 20)
        append(String(repeating: "x", count: 4 << 20) + "\nend\n")
        let before = spool.bytesOnDisk
        spool.free(upTo: (4 << 20) + 1)
        #expect(before >= 4 << 20 && spool.bytesOnDisk < 1 << 20)
        #expect(spool.line(at: SpoolPlace(offset: (4 << 20) + 1, length: 3)) == Array("end".utf8))
    }

    /// What is to be read stays, and so does what was read.
    @Test func aFileSystemThatTakesNothingBackIsNoticed() throws {
        let asked = Locked<[Int64]>([])
        let spool = try ChildSpool(directory("out"), from: 0, longestLine: 8 << 20) { _, from, length in
            asked.withLock { $0 += [from, length] }
            return -EOPNOTSUPP
        }
        append(String(repeating: "x", count: 4 << 20) + "\nend\n")
        #expect(!spool.keepsAll, "nothing was given back yet")
        let before = spool.bytesOnDisk
        for offset: Int64 in [10, 3 << 20, (4 << 20) + 1] { spool.free(upTo: offset) }
        #expect(spool.keepsAll && spool.bytesOnDisk == before)
        #expect(asked.withLock { $0 } == [0, 3 << 20, 0, (4 << 20) + 1])
        #expect(spool.line(at: SpoolPlace(offset: (4 << 20) + 1, length: 3)) == Array("end".utf8))
    }

    /// No other file can be put in the place of one that a child holds, and none cut: the next line would be lost.
    @Test func aChildWritesToTheFileThatItHolds() throws {
        let held = try #require(fopen(directory("out"), "a"))
        defer { fclose(held) }
        #expect(rename(directory("out"), directory("old")) == 0)
        try directory.write("", to: "out")
        let spool = try spool()
        fputs("one\n", held)
        fflush(held)
        #expect(texts(spool) == [], "it is in the old one")
        #expect(
            try ChildSpool(directory("old"), from: 0, longestLine: 10).read().lines.map(\.bytes) == [Array("one".utf8)])
    }
}
