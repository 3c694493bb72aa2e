import Agents
package import Core
package import Notify
package import Transport

/// The values of `config.json`; those here are the defaults.
package struct Configuration: Sendable, Hashable {
    /// True if the bridge is announced in the local network.
    package var acpAnnounced = false
    /// The port of the bridge for phones that speak the protocol of editors; `nil` for none.
    package var acpPort: UInt16?
    /// True if sessions may be started in the mode in which the agent asks about nothing.
    package var allowsBypass = false
    package var allowedOrigins: [String] = []
    /// Tells what becomes of what chat front ends ask for themselves.
    package var chatErrands = ChatErrandPolicy.refuse
    /// The agent's program; nil for the one that is found.
    package var claude: String?
    /// Days after its pairing at which a device's right ends.
    package var deviceDays = 60
    package var host = "127.0.0.1"
    /// True if hooks without a token are taken over TCP; nil: only while no other machine can reach the port.
    package var httpHooks: Bool?
    /// Listen beyond loopback without TLS. Only the command line can set it.
    package var isInsecure = false
    /// Processes of agents that the daemon runs at a time.
    package var mostSessions = 8
    package var notify = NotifySettings()
    package var policy = Policy(passthroughTools: ClaudeTools.passthrough)
    package var port: UInt16 = 8766
    package var publicURL: BaseURL?
    package var retentionDays = 30
    /// The environment that agents get.
    package var sessionEnvironment = SessionEnvironment.login
    /// Minutes without work after which the process of a session is ended until the next prompt.
    package var sessionIdleMinutes = 30
    package var tls = TLSSetting.off
    package var trustedProxies: [AddressRange] = []

    package init() {}

    /// Reads the key for Apple's push service; `nil` if the configuration has none.
    /// - Parameter path: The path of `config.json`, for the error.
    func apnsToken(path: String) throws(StartError) -> APNsToken? {
        guard let settings = notify.apns else { return nil }
        do throws(NotifySettingError) { return try APNsToken(settings) } catch {
            throw .configuration(
                .invalid(source: path, key: error.key, value: error.value, allowed: error.allowed))
        }
    }

    var runLimits: SessionLimits {
        var limits = SessionLimits()
        limits.children = mostSessions
        limits.idleSeconds = Double(sessionIdleMinutes) * 60
        limits.allowsBypass = allowsBypass
        return limits
    }

    /// Seconds. Claude's wait for a hook is a constant in its settings, and the relay's wait is a little shorter: no
    /// deadline may be later.
    package static let longestTimeout = Double(HookTimeout.largestDeadline)
}

/// The environment of the agents that the daemon runs.
package enum SessionEnvironment: String, Sendable, Hashable, CaseIterable {
    case daemon
    /// That of the person's login shell.
    case login
}

/// Tells what becomes of the errands of chat front ends, such as a title for a chat.
package enum ChatErrandPolicy: String, Sendable, Hashable, CaseIterable {
    /// By the model alone, without a session.
    case answer
    case refuse
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
