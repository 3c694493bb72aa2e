import Glibc

/// The process's environment, read once at the top and handed down.
enum Environment {
    static func process() -> [String: String] {
        var values: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text)
            if let split = pair.firstIndex(of: "=") {
                values[String(pair[..<split])] = String(pair[pair.index(after: split)...])
            }
            entry += 1
        }
        return values
    }
}
