import Foundation
import Testing

/// A denied line, lines that its rule forbids too, lines that it does not, and of these the ones about which a person is asked
/// because of it: `Cases/denied-lines.json`.
struct DeniedLines: Decodable, Sendable, CustomTestStringConvertible {
    let denied: String
    let also: [String]
    let not: [String]
    let asked: [String]?

    var testDescription: String { denied }

    static func all() throws -> [DeniedLines] { try decoded("denied-lines") }

    /// The cases of a file.
    static func decoded<Case: Decodable>(_ name: String) throws -> [Case] {
        try JSONDecoder().decode([Case].self, from: Data(RuleCase.text(of: name).utf8))
    }
}
