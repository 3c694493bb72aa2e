import OrderedJSON
import Wire

/// The form in which a version of the protocol has what we send. The parts are made in the form of version 1.
protocol ACPSpelling: Sendable {
    /// The parameters of `session/update`; `nil` for an update that the version does not have.
    func update(_ update: JSONObject, of session: String) -> JSON?
    /// The parameters of `session/request_permission`.
    func question(about call: JSONObject, _ options: [JSON], in session: String) -> JSON
    /// The id of the option that was chosen; `nil` if none was.
    func choice(in answer: JSON) -> String?
}

/// Version 1.
struct ACPVersion1: ACPSpelling {
    func update(_ update: JSONObject, of session: String) -> JSON? {
        ["sessionId": .id(session), "update": .object(update)]
    }

    func question(about call: JSONObject, _ options: [JSON], in session: String) -> JSON {
        ["sessionId": .id(session), "toolCall": .object(call), "options": .array(options)]
    }

    func choice(in answer: JSON) -> String? {
        guard let outcome = answer["outcome"], outcome["outcome"] == "selected" else { return nil }
        return outcome["optionId"]?.stringValue
    }
}
