import Agents
package import Core
package import Notify
package import Transport

/// The values of `config.json`; those here are the defaults.
package struct Configuration: Sendable, Hashable {
    package var allowedOrigins: [String] = []
    /// Days after its pairing at which a device's right ends.
    package var deviceDays = 60
    package var host = "127.0.0.1"
    /// True if hooks without a token are taken over TCP; nil: only while no other machine can reach the port.
    package var httpHooks: Bool?
    /// Listen beyond loopback without TLS. Only the command line can set it.
    package var isInsecure = false
    package var notify = NotifySettings()
    package var policy = Policy(passthroughTools: ClaudeTools.passthrough)
    package var port: UInt16 = 8766
    package var publicURL: BaseURL?
    package var retentionDays = 30
    package var tls = TLSSetting.off
    package var trustedProxies: [AddressRange] = []

    package init() {}

    /// Seconds. Claude's wait for a hook is a constant in its settings, and the relay's wait is a little shorter: no
    /// deadline may be later.
    package static let longestTimeout = Double(HookTimeout.largestDeadline)
}

/// The reasons for which the configuration cannot be used.
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
