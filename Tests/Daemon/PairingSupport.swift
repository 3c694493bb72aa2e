import Core
import OrderedJSON
import Testing
import Wire

/// What a device got when it was paired.
struct PairedDevice {
    let id: String
    let access: String
    let refresh: String

    init(_ json: JSON?) throws {
        id = try #require(json?["device_id"]?.stringValue)
        access = try #require(json?["access_token"]?.stringValue)
        refresh = try #require(json?["refresh_token"]?.stringValue)
    }

    var headers: HTTPHeaders { ["Authorization": "Bearer \(access)"] }
}

extension TestDaemon {
    /// A JSON body over TCP.
    func post(_ path: String, _ body: JSON, headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
        try await askNetwork("POST", path, body.serialized(), headers: headers)
    }

    func exchange(_ token: JSON?, name: String = "phone") async throws -> HTTPResponse {
        try await post("/api/auth/exchange", ["pairing_token": token ?? "", "name": .string(name), "platform": "iOS"])
    }

    func refresh(_ token: String) async throws -> HTTPResponse {
        try await post("/api/auth/refresh", ["refresh_token": .string(token)])
    }

    /// A device that was let in by a link.
    func paired(_ level: String = "approve", name: String = "phone") async throws -> PairedDevice {
        let offer = try await call("pair/start", ["rights": .string(level)])
        return try PairedDevice(try await exchange(offer["token"], name: name).json)
    }

    /// The status of a method called with this token.
    func status(_ device: PairedDevice, _ method: String = "permission/stats") async throws -> Int {
        try await rpc(device, method).status.code
    }

    func rpc(_ device: PairedDevice, _ method: String, _ params: JSON = [:]) async throws -> HTTPResponse {
        try await post(
            "/rpc", ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": params], headers: device.headers)
    }

    /// A WebSocket with this device's access token.
    func socket(_ device: PairedDevice) async throws -> TestPeer {
        let peer = try network()
        let handshake = try await peer.upgrade(host: host, subprotocols: ["cdev", "cdev.token.\(device.access)"])
        #expect(handshake.status.code == 101)
        try await peer.say(#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"clientInfo":{"name":"page"}}}"#)
        _ = try await peer.message(id: 0)
        return peer
    }
}
