import FoundationEssentials
import Host
import Testing

/// The table of the page's files is written by hand, once for all builds; nothing else would notice a file left out.
struct WebFilesTests {
    private static let directory = #filePath.components(separatedBy: "/Tests/Host/")[0] + "/web/"

    @Test func everyFileOfTheDirectoryIsCarriedAsItIs() throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.directory).filter { name in
            var isDirectory = false
            return FileManager.default.fileExists(atPath: Self.directory + name, isDirectory: &isDirectory)
                && !isDirectory
        }
        #expect(WebFile.all.map(\.path) == names.map { "/" + $0 }.sorted())
        for file in WebFile.all {
            let bytes = try Data(contentsOf: URL(filePath: Self.directory + file.path.dropFirst()))
            #expect(file.bytes == Array(bytes), "\(file.path)")
        }
    }
}
