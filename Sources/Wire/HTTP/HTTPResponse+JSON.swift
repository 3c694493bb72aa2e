package import OrderedJSON

extension HTTPResponse {
    package static func json(_ json: JSON) -> HTTPResponse {
        HTTPResponse(.ok, json: json)
    }

    package static func json(_ status: HTTPStatus, _ json: JSON) -> HTTPResponse {
        HTTPResponse(status, json: json)
    }

    /// `{"error":"…"}` with the status: the form of every refusal.
    package static func error(_ status: HTTPStatus, _ message: String, headers: HTTPHeaders = [:]) -> HTTPResponse {
        HTTPResponse(status, headers: headers, json: ["error": .string(message)])
    }

    private init(_ status: HTTPStatus, headers: HTTPHeaders = [:], json: JSON) {
        self.init(status, headers: headers)
        self.headers.append("Content-Type", "application/json")
        body = json.serializedBytes()
    }
}
