// The bodies of the routes for pairing.

extension Schema {
    static let pairingExchange = object([
        "pairing_token": .string, "name": .string.optional, "platform": .string.optional,
    ])
    static let refreshToken = object(["refresh_token": .string])
    static let typedCode = object(["code": .string])
    static let requestID = object(["request_id": .string])

    static let credentials = object([
        "access_token": .string, "access_token_expires_at": .time, "refresh_token": .string,
        "refresh_token_expires_at": time.orNull, "token_type": Schema(["const": "Bearer"]), "expires_in": .count,
        "device_id": .string, "device_name": .string, "rights": .list(.right),
    ]).named("Credentials")

    static let waitingDevice = object([
        "status": Schema(["const": "pending_approval"]), "request_id": .string, "expires_at": .time,
    ])
    static let signedOut = object(["success": .success, "orphaned_workspaces": .list(.string)])
    static let pairingTicket = object(["pairing_token": .string, "expires_at": .time, "expires_in": .count])
    static let settledDevice = object(["success": .success, "request_id": .string])
    static let waitingDevices = object(["requests": .list(.anyObject), "count": .count])
    static let pairingInvitation = object(["token": .string, "expires_at": .time, "message": .string])

    static let addresses = object([
        "ws": .string, "http": .string, "session": .string, "repo": .string, "auth_required": .boolean,
        "token": .string.optional, "token_expires_at": time.optional,
    ])
}
