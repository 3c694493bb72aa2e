import Core
import OrderedJSON

/// The members of a body. An absent member and `null` are the same.
struct ReportMembers: Sendable {
    private let object: JSONObject
    /// What stands before a member's name in a message: `device.`, or nothing.
    private let place: String

    init(_ bytes: [UInt8]) throws(ClaudiatorFailure) {
        guard let json = try? JSON(parsing: bytes) else { throw .malformed("the body is no JSON") }
        guard let object = json.objectValue else { throw .invalid("send a JSON object") }
        self.init(object, in: "")
    }

    private init(_ object: JSONObject, in place: String) {
        self.object = object
        self.place = place
    }

    private func value(_ name: String) -> JSON? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    func string(_ name: String) throws(ClaudiatorFailure) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.stringValue else { throw .invalid("\(place)\(name) must be a string") }
        return text
    }

    /// A string that has to be there. It may be empty unless `isNeeded`.
    func text(_ name: String, isNeeded: Bool = true) throws(ClaudiatorFailure) -> String {
        guard let text = try string(name), !(isNeeded && text.isEmpty) else {
            throw .invalid(value(name) == nil && !isNeeded ? "\(place)\(name) is required" : "\(name) is required")
        }
        return text
    }

    func boolean(_ name: String) throws(ClaudiatorFailure) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let flag = value.boolValue else { throw .invalid("\(place)\(name) must be true or false") }
        return flag
    }

    func strings(_ name: String, atMost most: Int) throws(ClaudiatorFailure) -> [String]? {
        guard let value = value(name) else { return nil }
        let texts = value.arrayValue?.compactMap(\.stringValue)
        guard let texts, texts.count == value.arrayValue?.count, texts.count <= most else {
            throw .invalid("\(place)\(name) must be a list of at most \(most) strings")
        }
        return texts
    }

    func members(_ name: String) throws(ClaudiatorFailure) -> ReportMembers {
        guard let object = value(name)?.objectValue else { throw .invalid("\(place)\(name) must be an object") }
        return ReportMembers(object, in: "\(place)\(name).")
    }
}

extension ReportMembers {
    /// The event of a hook: these are its members, and all others are passed over.
    func report(of machine: ReportingMachine, at timestamp: String) throws(ClaudiatorFailure) -> SessionReport {
        SessionReport(
            machine: machine, sessionID: try text("session_id"), name: try text("hook_event_name"),
            timestamp: timestamp, cwd: try string("cwd"), message: try string("message"),
            notificationType: try string("notification_type"), toolName: try string("tool_name"),
            prompt: try string("prompt"))
    }
}
