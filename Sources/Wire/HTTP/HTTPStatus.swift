/// A status code with its reason phrase (RFC 9110 section 15).
package struct HTTPStatus: Sendable, Hashable {
    package let code: Int
    package let reason: String

    package init(code: Int, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// True if the final response still follows: 100 to 199 but 101.
    package var isInterim: Bool { (100...199).contains(code) && code != 101 }
    /// True if a message with this status never has content (RFC 9112 section 6.3).
    var isBodiless: Bool { (100...199).contains(code) || code == 204 || code == 304 }

    package static let `continue` = HTTPStatus(code: 100, reason: "Continue")
    package static let switchingProtocols = HTTPStatus(code: 101, reason: "Switching Protocols")
    package static let processing = HTTPStatus(code: 102, reason: "Processing")
    package static let ok = HTTPStatus(code: 200, reason: "OK")
    package static let created = HTTPStatus(code: 201, reason: "Created")
    package static let accepted = HTTPStatus(code: 202, reason: "Accepted")
    package static let noContent = HTTPStatus(code: 204, reason: "No Content")
    package static let notModified = HTTPStatus(code: 304, reason: "Not Modified")
    package static let permanentRedirect = HTTPStatus(code: 308, reason: "Permanent Redirect")
    package static let badRequest = HTTPStatus(code: 400, reason: "Bad Request")
    package static let unauthorized = HTTPStatus(code: 401, reason: "Unauthorized")
    package static let forbidden = HTTPStatus(code: 403, reason: "Forbidden")
    package static let notFound = HTTPStatus(code: 404, reason: "Not Found")
    package static let methodNotAllowed = HTTPStatus(code: 405, reason: "Method Not Allowed")
    package static let requestTimeout = HTTPStatus(code: 408, reason: "Request Timeout")
    package static let conflict = HTTPStatus(code: 409, reason: "Conflict")
    package static let gone = HTTPStatus(code: 410, reason: "Gone")
    package static let contentTooLarge = HTTPStatus(code: 413, reason: "Content Too Large")
    package static let uriTooLong = HTTPStatus(code: 414, reason: "URI Too Long")
    package static let unsupportedMediaType = HTTPStatus(code: 415, reason: "Unsupported Media Type")
    package static let expectationFailed = HTTPStatus(code: 417, reason: "Expectation Failed")
    package static let misdirectedRequest = HTTPStatus(code: 421, reason: "Misdirected Request")
    package static let unprocessableContent = HTTPStatus(code: 422, reason: "Unprocessable Content")
    package static let upgradeRequired = HTTPStatus(code: 426, reason: "Upgrade Required")
    package static let tooManyRequests = HTTPStatus(code: 429, reason: "Too Many Requests")
    package static let headerFieldsTooLarge = HTTPStatus(code: 431, reason: "Request Header Fields Too Large")
    package static let internalServerError = HTTPStatus(code: 500, reason: "Internal Server Error")
    package static let notImplemented = HTTPStatus(code: 501, reason: "Not Implemented")
    package static let serviceUnavailable = HTTPStatus(code: 503, reason: "Service Unavailable")
    package static let versionNotSupported = HTTPStatus(code: 505, reason: "HTTP Version Not Supported")
}
