import OrderedJSON

/// The members of a request's body. An absent member and `null` are the same.
struct RequestMembers: Sendable {
    let object: JSONObject

    func value(_ name: String) -> JSON? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    /// - Parameter atMost: Bytes of UTF-8.
    func string(_ name: String, atMost: Int = 256) throws(OpenAIFailure) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.stringValue, text.utf8.count <= atMost else {
            throw .invalid("\"\(name)\" must be a string of at most \(atMost) bytes", param: name)
        }
        return text
    }

    /// A string that is not empty; `nil` for one that is.
    func name(_ name: String) throws(OpenAIFailure) -> String? {
        try string(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Strings, in any order.
    func names(_ name: String) throws(OpenAIFailure) -> Set<String>? {
        guard let value = value(name) else { return nil }
        guard let list = value.arrayValue, list.count <= 5000, list.allSatisfy({ $0.stringValue != nil }) else {
            throw .invalid("\"\(name)\" must be a list of at most 5000 strings", param: name)
        }
        return Set(list.compactMap(\.stringValue))
    }

    func boolean(_ name: String) throws(OpenAIFailure) -> Bool {
        guard let value = value(name) else { return false }
        guard let flag = value.boolValue else { throw .invalid("\"\(name)\" must be true or false", param: name) }
        return flag
    }

    func members(_ name: String) throws(OpenAIFailure) -> RequestMembers? {
        guard let value = value(name) else { return nil }
        guard let object = value.objectValue else { throw .invalid("\"\(name)\" must be an object", param: name) }
        return RequestMembers(object: object)
    }
}
