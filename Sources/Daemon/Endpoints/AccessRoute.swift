/// The paths by which devices come in and go. The names are those of older servers, whose clients work here.
enum AccessRoute: String {
    case approve = "/api/auth/pairing/approve"
    case exchange = "/api/auth/exchange"
    case info = "/api/pair/info"
    case pairingCode = "/api/pair/code"
    case pairingRefresh = "/api/pair/refresh"
    case pending = "/api/auth/pairing/pending"
    case qr = "/api/pair/qr"
    case refresh = "/api/auth/refresh"
    case reject = "/api/auth/pairing/reject"
    case revoke = "/api/auth/revoke"

    var verbs: [String] {
        switch self {
        case .approve, .exchange, .pairingCode, .pairingRefresh, .refresh, .reject, .revoke: ["POST"]
        case .info, .pending, .qr: ["GET", "HEAD"]
        }
    }

    /// Only the user at this machine: what is answered lets a device in.
    var isForOwner: Bool {
        switch self {
        case .approve, .pairingRefresh, .pending, .qr, .reject: true
        case .exchange, .info, .pairingCode, .refresh, .revoke: false
        }
    }
}
