import Text

/// The name of a device, shown in the log and on every card it answers.
package enum DeviceName {
    /// The most characters of a name.
    package static let limit = 64

    /// Returns true if the name has 1 to 64 visible characters, no space at its ends, and nothing that breaks a line or changes
    /// the direction of writing.
    package static func isUsable(_ name: String) -> Bool {
        guard (1...limit).contains(name.count), name.utf8.count <= 4 * limit, name.first != " ", name.last != " " else {
            return false
        }
        return name.unicodeScalars.allSatisfy(isVisible)
    }

    /// Returns a device's own name without the characters that `isUsable` forbids; `nil` if none is left.
    package static func cleaned(_ name: String?) -> String? {
        guard let name else { return nil }
        var scalars = name.unicodeScalars.prefix(4 * limit).filter(isVisible)
        while scalars.first == " " { scalars.removeFirst() }
        while String(String.UnicodeScalarView(scalars)).count > limit
            || String(String.UnicodeScalarView(scalars)).utf8.count > 4 * limit || scalars.last == " "
        {
            scalars.removeLast()
        }
        return scalars.isEmpty ? nil : String(String.UnicodeScalarView(scalars))
    }

    /// `name`, with a number after it if it is taken.
    package static func free(_ name: String, among taken: Set<String>) -> String {
        guard taken.contains(name) else { return name }
        let stem = String(name.prefix(limit - 6))
        var number = 2
        while taken.contains("\(stem) \(number)") { number += 1 }
        return "\(stem) \(number)"
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isHidden && scalar != "\n" && scalar != "\t"
    }
}
