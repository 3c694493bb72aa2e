import Daemon
import Foundation
import Testing

/// What the documents show as `config.json` is what a daemon starts with.
@Suite struct DocumentedConfigurationTests {
    @Test func everyExampleIsAccepted() throws {
        let root = #filePath.components(separatedBy: "/Tests/")[0]
        let page = try String(contentsOfFile: root + "/docs/operations.md", encoding: .utf8)
        let blocks = page.components(separatedBy: "```json\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        #expect(blocks.count >= 4)
        for block in blocks {
            let reader = try ConfigurationReader(bytes: Array(block.utf8), path: "operations.md")
            #expect(reader.warnings == [], "\(block)")
        }
    }
}
