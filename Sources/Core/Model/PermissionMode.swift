/// `permission_mode` of the hook input; the flag `manual` is spelled `default` there (measured on 2.1.327).
package enum PermissionMode: Sendable, Hashable {
    case acceptEdits, auto, bypassPermissions, `default`, dontAsk, plan
    case unknown(String)

    /// A long name is cut: an agent may print any, and it is stored, and told with each change of a session.
    package init(_ spelling: String) {
        switch spelling {
        case "acceptEdits": self = .acceptEdits
        case "auto": self = .auto
        case "bypassPermissions", "dangerouslySkipPermissions": self = .bypassPermissions
        case "default": self = .default
        case "dontAsk": self = .dontAsk
        case "plan": self = .plan
        default: self = .unknown(String(decoding: spelling.utf8.prefix(Self.longest), as: UTF8.self))
        }
    }

    /// Bytes of a name, far above any real one.
    private static let longest = 256

    package var spelling: String {
        switch self {
        case .acceptEdits: "acceptEdits"
        case .auto: "auto"
        case .bypassPermissions: "bypassPermissions"
        case .default: "default"
        case .dontAsk: "dontAsk"
        case .plan: "plan"
        case .unknown(let spelling): spelling
        }
    }

    /// True for the modes in which Claude asks as usual, or nearly, and where no mode was told.
    package var isUsual: Bool { [.acceptEdits, .default, .unknown("")].contains(self) }
}
