import Compression
import Foundation
import Testing

/// The forms are read by gzip itself.
struct GzipTests {
    private static let texts: [[UInt8]] = [
        [], [0], Array("a page".utf8), Array(repeating: 7, count: 1 << 20),
        (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) },
    ]

    @Test(arguments: texts.indices)
    func whatIsWrittenIsReadByAnother(index: Int) throws {
        let bytes = Self.texts[index]
        let form = try #require(gzip(bytes))
        #expect(try unpacked(form) == bytes)
    }

    @Test func textThatRepeatsGetsShort() throws {
        let text = Array(String(repeating: "import { h } from \"../dom.js\";\n", count: 1000).utf8)
        #expect(try #require(gzip(text)).count < text.count / 50)
    }

    private func unpacked(_ form: [UInt8]) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("form")
        try Data(form).write(to: file.appendingPathExtension("gz"))
        let gunzip = Process()
        gunzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        gunzip.arguments = ["gzip", "-d", file.path + ".gz"]
        try gunzip.run()
        gunzip.waitUntilExit()
        #expect(gunzip.terminationStatus == 0)
        return Array(try Data(contentsOf: file))
    }
}
