import Core
import OrderedJSON

/// The members of a JSON object in the database, by name. A member that is missing or of another type is damage, unless
/// it may be null.
struct BodyMembers {
    let object: JSONObject

    init(_ object: JSONObject) {
        self.object = object
    }

    func text(_ name: String) throws(StoreError) -> String { try found(name, object[name]?.stringValue) }

    func integer(_ name: String) throws(StoreError) -> Int { try found(name, object[name]?.intValue) }

    func bool(_ name: String) throws(StoreError) -> Bool { try found(name, object[name]?.boolValue) }

    func time(_ name: String) throws(StoreError) -> Timestamp { try found(name, optionalTime(name)) }

    func object(_ name: String) throws(StoreError) -> BodyMembers {
        BodyMembers(try found(name, object[name]?.objectValue))
    }

    func spelled<Value>(_ name: String, _ make: (String) -> Value?) throws(StoreError) -> Value {
        try found(name, make(try text(name)))
    }

    func kept(_ name: String) -> KeptJSON { KeptJSON(object[name] ?? .null) }

    func strings(_ name: String) -> [String] { (object[name]?.arrayValue ?? []).compactMap(\.stringValue) }

    func optionalText(_ name: String) -> String? { object[name]?.stringValue }

    func optionalInteger(_ name: String) -> Int? { object[name]?.intValue }

    func optionalTime(_ name: String) -> Timestamp? {
        object[name]?.intValue.map { Timestamp(milliseconds: Int64($0)) }
    }

    private func found<Value>(_ name: String, _ value: Value?) throws(StoreError) -> Value {
        guard let value else { throw StoreError(.corrupt, "\"\(name)\" of an event cannot be read") }
        return value
    }
}
