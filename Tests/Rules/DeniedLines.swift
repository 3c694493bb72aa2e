import Foundation
import Testing

/// A denied line, lines that its rule forbids too, and lines that it does not: `Cases/denied-lines.json`.
struct DeniedLines: Decodable, Sendable, CustomTestStringConvertible {
    let denied: String
    let also: [String]
    let not: [String]

    var testDescription: String { denied }

    static func all() throws -> [DeniedLines] {
        let url = Bundle.module.url(forResource: "denied-lines", withExtension: "json", subdirectory: "Cases")
        return try JSONDecoder().decode([DeniedLines].self, from: Data(contentsOf: #require(url)))
    }
}
