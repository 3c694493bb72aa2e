package import OrderedJSON
package import Wire

/// A body that must be JSON.
package enum RequestBody {
    /// 415 unless the body is said to be JSON. Pages of other sites can send some types without being asked; JSON is none
    /// of them.
    package static func refusalOfType(_ request: HTTPRequest) -> RefusedRequest? {
        let fields = request.headers.values("content-type")
        let type = fields.first?.prefix { $0 != ";" }.split(separator: " ").joined().lowercased()
        guard fields.count == 1, type == "application/json" else {
            return RefusedRequest(.error(.unsupportedMediaType, "send Content-Type: application/json"))
        }
        return nil
    }

    /// The object in the body.
    package static func object(_ request: HTTPRequest) -> Result<JSONObject, RefusedRequest> {
        guard let json = try? JSON(parsing: request.body), let object = json.objectValue else {
            return .failure(RefusedRequest(.error(.badRequest, "send a JSON object")))
        }
        return .success(object)
    }
}

extension HTTPRequest {
    /// The first value of `name` in the query; empty where it has none.
    func query(_ name: String) -> String? {
        let pairs = (query ?? "").split(separator: "&").map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        }
        return pairs.first { $0[0] == name }.map { $0.count > 1 ? String($0[1]) : "" }
    }

    /// Whether the query has `name`, with this value: any but `0` and `false` where none is given.
    func asks(_ name: String, _ value: String? = nil) -> Bool {
        guard let given = query(name) else { return false }
        return value.map { $0 == given } ?? (given != "0" && given != "false")
    }
}
