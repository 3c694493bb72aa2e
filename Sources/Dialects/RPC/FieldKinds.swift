import Core
import OrderedJSON
import Wire

// The kinds of fields. An absent value and `null` are the same in all of them.

extension Field where Value == String? {
    static func string(_ name: String, _ summary: String) -> Field {
        Field(name, .string, summary) { arguments throws(JSONRPCError) in try arguments.string(name) }
    }

    /// - Parameter atMost: Bytes of UTF-8. The schema counts characters, so it lets some texts through that are refused.
    static func string(_ name: String, atMost: Int, _ summary: String) -> Field {
        string(name, summary).schema("maxLength", .count(atMost)).map { text throws(JSONRPCError) in
            guard (text?.utf8.count ?? 0) <= atMost else {
                throw .invalidParams("send a \"\(name)\" of at most \(atMost) bytes")
            }
            return text
        }
    }

    /// A string that is an identifier: two that differ only in half a surrogate pair stay different.
    static func id(_ name: String, _ summary: String) -> Field {
        Field(name, .string, summary) { arguments throws(JSONRPCError) in try arguments.id(name) }
    }
}

extension Field where Value == String {
    /// A required identifier.
    static func requiredID(_ name: String, _ summary: String) -> Field {
        Field<String?>.id(name, summary).map { id throws(JSONRPCError) in
            guard let id, !id.isEmpty else { throw .invalidParams("\"\(name)\" is required: \(summary)") }
            return id
        }.requiredBySchema
    }

    /// A required string that must not be empty.
    /// - Parameter missing: The text that the error adds about what to send; nil for the summary.
    static func required(_ name: String, _ summary: String, missing: String? = nil) -> Field {
        Field(name, .string.setting("minLength", 1), summary, isRequired: true) { arguments throws(JSONRPCError) in
            try arguments.required(name, missing ?? summary)
        }
    }
}

extension Field where Value == Int {
    static func integer(
        _ name: String, in range: ClosedRange<Int>, default value: Int, _ summary: String
    ) -> Field {
        Field(name, .integer(in: range).setting("default", .count(value)), summary) { arguments throws(JSONRPCError) in
            try arguments.integer(name, in: range) ?? value
        }
    }
}

extension Field where Value == Int? {
    /// A whole number, 0 or more; nil if none was sent.
    static func integerIfPresent(_ name: String, _ summary: String) -> Field {
        Field(name, .integer(in: 0...Int.max), summary) { arguments throws(JSONRPCError) in
            try arguments.integer(name, in: 0...Int.max)
        }
    }
}

extension Field where Value == Bool {
    static func boolean(_ name: String, default value: Bool, _ summary: String) -> Field {
        Field(name, .boolean.setting("default", .bool(value)), summary) { arguments throws(JSONRPCError) in
            try arguments.boolean(name) ?? value
        }
    }

    static func requiredBoolean(_ name: String, _ summary: String) -> Field {
        Field(name, .boolean, summary, isRequired: true) { arguments throws(JSONRPCError) in
            guard let value = arguments.value(name)?.boolValue else {
                throw .invalidParams("\"\(name)\" is required: true or false")
            }
            return value
        }
    }
}

extension Field where Value == Timestamp? {
    static func time(_ name: String, _ summary: String) -> Field {
        Field(name, .time, summary) { arguments throws(JSONRPCError) in try arguments.time(name) }
    }
}

extension Field where Value == JSONObject? {
    static func object(_ name: String, _ summary: String) -> Field {
        Field(name, .anyObject, summary) { arguments throws(JSONRPCError) in try arguments.object(name) }
    }
}

extension Field where Value == [String]? {
    static func strings(_ name: String, _ summary: String) -> Field {
        Field(name, .list(.string), summary) { arguments throws(JSONRPCError) in try arguments.strings(name) }
    }
}

extension Field {
    /// One of the choices; nil if none was sent.
    static func choice<Choice: RawRepresentable<String> & Sendable>(
        _ name: String, of choices: [Choice], _ summary: String
    ) -> Field where Value == Choice? {
        Field(name, .choice(choices.map(\.rawValue)), summary) { arguments throws(JSONRPCError) in
            try arguments.choice(name, of: choices)
        }
    }

    static func choice(
        _ name: String, of choices: [Value], default value: Value, _ summary: String
    ) -> Field where Value: RawRepresentable<String> {
        let schema = Schema.choice(choices.map(\.rawValue)).setting("default", .string(value.rawValue))
        return Field(name, schema, summary) { arguments throws(JSONRPCError) in
            try arguments.choice(name, of: choices) ?? value
        }
    }

    /// An object with these members. An absent object counts as an empty one.
    static func object(_ name: String, of shape: Shape<Value>, isRequired: Bool = false, _ summary: String) -> Field {
        Field(name, shape.schema, summary, isRequired: isRequired) { arguments throws(JSONRPCError) in
            try shape.read(Arguments(try arguments.object(name) ?? [:]))
        }
    }

    /// A list of such objects. An element that cannot be read refuses the whole list, so that no list is taken in part.
    /// - Parameters:
    ///   - things: The elements' name in the plural, for errors.
    ///   - type: The name of an element's schema in the OpenRPC document.
    static func list<Element: Sendable>(
        _ name: String, of things: String, _ shape: Shape<Element>, named type: String, count: ClosedRange<Int>,
        _ summary: String
    ) -> Field where Value == [Element]? {
        let schema = Schema.list(shape.schema.named(type)).setting("minItems", .count(count.lowerBound))
            .setting("maxItems", .count(count.upperBound))
        return Field(name, schema, summary) { arguments throws(JSONRPCError) in
            guard let value = arguments.value(name) else { return nil }
            guard let elements = value.arrayValue, count.contains(elements.count) else {
                throw .invalidParams(
                    "\"\(name)\" must be a list of \(count.lowerBound) to \(count.upperBound) \(things)")
            }
            var list: [Element] = []
            for (index, element) in elements.enumerated() {
                list.append(try shape.read(element, named: "\(name)[\(index)]"))
            }
            return list
        }
    }
}

extension Shape {
    fileprivate func read(_ element: JSON, named name: String) throws(JSONRPCError) -> Value {
        guard let object = element.objectValue else { throw .invalidParams("\(name) must be an object") }
        do throws(JSONRPCError) { return try read(Arguments(object)) } catch {
            throw .invalidParams("\(name): \(error.message)")
        }
    }
}
