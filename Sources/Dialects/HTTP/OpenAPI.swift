import OrderedJSON

/// The OpenAPI 3.1 document, made from the routes that say something of themselves.
enum OpenAPI {
    /// - Parameter info: `title`, `version` and `description`.
    static func document(of routes: [Route], info: JSONObject) -> JSON {
        let described = routes.compactMap { route in route.description.map { (route, $0) } }
        let paths = Dictionary(grouping: described) { $0.0.pattern }.sorted { $0.key < $1.key }
        let items = paths.map { path, routes in (path, JSON.object(item(of: routes))) }
        var named: [String: JSONObject] = ["Error": failure.object]
        for (route, description) in described {
            let schemas =
                [description.body, route.refusalSchema()].compactMap(\.self) + description.replies.compactMap(\.schema)
            for schema in schemas { named.merge(schema.named) { first, _ in first } }
        }
        let schemas = named.sorted { $0.key < $1.key }.map { ($0.key, JSON.object($0.value)) }
        return [
            "openapi": "3.1.0", "info": .object(info), "paths": .object(JSONObject(items)),
            "components": [
                "schemas": .object(JSONObject(schemas)),
                "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
            ],
        ]
    }

    private static let failure = Schema.object(["error": .string.meaning("a sentence")])

    private static func item(of routes: [(Route, RouteDescription)]) -> JSONObject {
        var item: JSONObject = [:]
        for (route, description) in routes {
            // HEAD goes with GET.
            for verb in route.verbs where verb != "HEAD" {
                item[verb.lowercased()] = .object(operation(verb, route, description))
            }
        }
        return item
    }

    private static func operation(_ verb: String, _ route: Route, _ description: RouteDescription) -> JSONObject {
        let words = route.pattern.split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
        var operation: JSONObject = [
            "operationId": .string(words.isEmpty ? verb.lowercased() : "\(verb.lowercased())_\(words)"),
            "summary": .string(description.summary), "description": .string(route.admission.words),
        ]
        var parameters = description.query.map { parameter($0.name, in: "query", $0) }
        if case .below = route.path { parameters.append(pathParameter) }
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if let body = description.body {
            operation["requestBody"] = ["required": true, "content": ["application/json": ["schema": body.json]]]
        }
        var responses = responses(description.replies, route.refusalSchema())
        if let refusal = route.refusalSchema(), case .below = route.path, responses["404"] == nil {
            responses["404"] = nothing(or: refusal)
        }
        operation["responses"] = .object(responses)
        operation["security"] = route.admission.security
        return operation
    }

    private static func parameter(_ name: String, in place: JSON, _ field: FieldDescription) -> JSON {
        [
            "name": .string(name), "in": place, "description": .string(field.summary),
            "required": .bool(field.isRequired), "schema": field.schema.json,
        ]
    }

    private static let pathParameter: JSON = [
        "name": "name", "in": "path", "required": true, "schema": ["type": "string"],
    ]

    private static func responses(_ replies: [RouteDescription.Reply], _ refusal: Schema?) -> JSONObject {
        var responses: JSONObject = [:]
        for reply in replies {
            var response: JSONObject = ["description": .string(reply.summary)]
            if !reply.type.isEmpty {
                response["content"] = .object([reply.type: reply.schema.map { ["schema": $0.json] } ?? [:]])
            }
            responses["\(reply.status)"] = .object(response)
        }
        responses["default"] = [
            "description": "Refused, or it failed; the sentence says why.",
            "content": ["application/json": ["schema": refusal?.json ?? error]],
        ]
        return responses
    }

    private static let error: JSON = ["$ref": "#/components/schemas/Error"]

    /// A path that is too long is no route's, so it is refused in the daemon's form instead of the dialect's.
    private static func nothing(or refusal: Schema) -> JSON {
        [
            "description": "There is nothing of that name, or the path is too long.",
            "content": ["application/json": ["schema": ["anyOf": [refusal.json, error]]]],
        ]
    }
}

extension Route {
    /// The path as the document spells it.
    fileprivate var pattern: String {
        switch path {
        case .exact(let path): path
        case .below(let prefix, let tail): prefix + "{name}" + tail
        }
    }
}

extension Admission {
    fileprivate var words: String {
        switch self {
        case .anyone: "Needs no token."
        case .anyoneKnown: "Needs no token; a token, or the Unix socket, may give more."
        case .anyoneOrDevice: "Needs no token; a token may give more."
        case .caller: "Needs a token, or the Unix socket."
        case .hook: "For the hooks of agents on this machine."
        case .outsideAgents: "Needs no token; refused to a process inside an agent."
        case .owner: "On the Unix socket alone, for the user at this machine."
        }
    }

    fileprivate var security: JSON {
        switch self {
        case .anyone, .outsideAgents, .owner: []
        case .anyoneKnown, .anyoneOrDevice: [[:], ["token": []]]
        case .caller, .hook: [["token": []]]
        }
    }
}
