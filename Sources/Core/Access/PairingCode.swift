/// The code that people type where they cannot scan: eight letters and digits without look-alikes (Crockford's base
/// 32), 40 bits.
package enum PairingCode {
    package static let length = 8

    /// The form that is compared: lower case, without dashes and spaces, look-alikes replaced. `nil` if `typed` has not
    /// the form of a code.
    package static func normalized(_ typed: String) -> String? {
        guard typed.utf8.count <= 64 else { return nil }
        var letters = ""
        for letter in typed.lowercased() where letter != "-" && letter != " " {
            switch letter {
            case "o": letters.append("0")
            case "i", "l": letters.append("1")
            case "0"..."9", "a"..."h", "j", "k", "m", "n", "p"..."t", "v"..."z": letters.append(letter)
            default: return nil
            }
        }
        return letters.utf8.count == length ? letters : nil
    }

    /// The form that people read: `k3f9-7qpd`.
    package static func shown(_ code: String) -> String {
        "\(code.prefix(4))-\(code.dropFirst(4))"
    }
}
