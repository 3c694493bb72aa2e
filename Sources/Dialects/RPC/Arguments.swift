import Core
import OrderedJSON
import Wire

/// The parameters of one call. Errors say what to send. Unknown members are ignored, because clients may be newer than
/// the daemon.
struct Arguments: Sendable {
    let object: JSONObject

    init(_ params: JSON?) throws(JSONRPCError) {
        switch params {
        case nil: object = [:]
        case .object(let object)?: self.object = object
        default: throw .invalidParams(#"send "params" as an object, with names"#)
        }
    }

    init(_ object: JSONObject) {
        self.object = object
    }

    /// The value, or nil if it is absent or `null`.
    func value(_ name: String) -> JSON? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    func string(_ name: String) throws(JSONRPCError) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.stringValue else { throw .invalidParams("\"\(name)\" must be a string") }
        return text
    }

    /// A string that is an identifier: two that differ only in half a surrogate pair stay different.
    func id(_ name: String) throws(JSONRPCError) -> String? {
        try string(name) == nil ? nil : value(name)?.idValue
    }

    func required(_ name: String, _ meaning: String) throws(JSONRPCError) -> String {
        guard let text = try string(name), !text.isEmpty else {
            throw .invalidParams("\"\(name)\" is required: \(meaning)")
        }
        return text
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(JSONRPCError) -> Int? {
        guard let value = value(name) else { return nil }
        guard let number = value.intValue, range.contains(number) else {
            let limits =
                range.upperBound == .max ? "from \(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
            throw .invalidParams("\"\(name)\" must be a whole number, \(limits)")
        }
        return number
    }

    func boolean(_ name: String) throws(JSONRPCError) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let boolean = value.boolValue else { throw .invalidParams("\"\(name)\" must be true or false") }
        return boolean
    }

    func object(_ name: String) throws(JSONRPCError) -> JSONObject? {
        guard let value = value(name) else { return nil }
        guard let object = value.objectValue else { throw .invalidParams("\"\(name)\" must be an object") }
        return object
    }

    func strings(_ name: String) throws(JSONRPCError) -> [String]? {
        guard let value = value(name) else { return nil }
        guard let elements = value.arrayValue, elements.allSatisfy({ $0.stringValue != nil }) else {
            throw .invalidParams("\"\(name)\" must be a list of strings")
        }
        return elements.compactMap(\.stringValue)
    }

    func time(_ name: String) throws(JSONRPCError) -> Timestamp? {
        guard let text = try string(name) else { return nil }
        guard let time = Timestamp(rfc3339: text) else {
            throw .invalidParams("\"\(name)\" must be a time such as 2026-11-20T10:30:00Z")
        }
        return time
    }

    func choice<Choice: RawRepresentable<String>>(
        _ name: String, of choices: [Choice]
    ) throws(JSONRPCError) -> Choice? {
        guard let text = try string(name) else { return nil }
        guard let choice = choices.first(where: { $0.rawValue == text }) else {
            let list = choices.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw .invalidParams("\"\(name)\" must be one of \(list)")
        }
        return choice
    }
}
