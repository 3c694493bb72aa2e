import Agents
package import Core
package import Notify
package import Transport

/// What the user decided in `config.json`; the values here are the shipped ones.
package struct Configuration: Sendable, Hashable {
    package var allowedOrigins: [String] = []
    package var host = "127.0.0.1"
    /// Whether hooks without a token are taken over TCP; nil: only while nobody but this machine can reach the port.
    package var httpHooks: Bool?
    /// Beyond loopback without TLS. Only the command line can say so.
    package var isInsecure = false
    package var notify = NotifySettings()
    package var policy = Policy(passthroughTools: ClaudeTools.passthrough)
    package var port: UInt16 = 8766
    package var publicURL: BaseURL?
    package var retentionDays = 30
    package var tls = TLSSetting.off
    package var trustedProxies: [AddressRange] = []

    package init() {}

    /// The settings file gives Claude's wait for a hook as a constant, and the relay waits a little less: no deadline may
    /// lie beyond it.
    package static let longestTimeout = Double(HookTimeout.largestDeadline)
}

/// Why the configuration cannot be used.
package enum ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    case invalid(source: String, key: String, value: String, allowed: String)
    case unreadable(path: String, reason: String)

    package var description: String {
        switch self {
        case .invalid(let source, let key, let value, let allowed):
            "\(source): \"\(key)\" is \(value), but must be \(allowed)"
        case .unreadable(let path, let reason): "\(path) cannot be used: \(reason)"
        }
    }
}
