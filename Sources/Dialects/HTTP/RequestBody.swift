package import OrderedJSON
package import Wire

/// Checks and parses bodies that must be JSON.
package enum RequestBody {
    /// 415 unless the Content-Type is `application/json`; nil if it is. Pages of other sites can send some types
    /// without a preflight; JSON is not among them.
    package static func refusalOfType(_ request: HTTPRequest) -> RefusedRequest? {
        let fields = request.headers.values("content-type")
        let type = fields.first?.prefix { $0 != ";" }.split(separator: " ").joined().lowercased()
        guard fields.count == 1, type == "application/json" else {
            return RefusedRequest(.error(.unsupportedMediaType, "send Content-Type: application/json"))
        }
        return nil
    }

    /// The body as a JSON object, or 400.
    package static func object(_ request: HTTPRequest) -> Result<JSONObject, RefusedRequest> {
        guard let json = try? JSON(parsing: request.body), let object = json.objectValue else {
            return .failure(RefusedRequest(.error(.badRequest, "send a JSON object")))
        }
        return .success(object)
    }
}

extension HTTPRequest {
    /// The first value of `name` in the query: nil without the name, empty without a value.
    func query(_ name: String) -> String? {
        let pairs = (query ?? "").split(separator: "&").map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        }
        return pairs.first { $0[0] == name }.map { $0.count > 1 ? String($0[1]) : "" }
    }

    /// True if the query has `name` with this value; without `value`, with any value but `0` and `false`.
    func asks(_ name: String, _ value: String? = nil) -> Bool {
        guard let given = query(name) else { return false }
        return value.map { $0 == given } ?? (given != "0" && given != "false")
    }
}
