package import Agents
package import Platform

/// The options of `cdev serve`; they override `config.json`.
package struct ServeOptions: Sendable {
    /// Absolute.
    package var home: String
    /// Absolute.
    package var socket: String
    package var host: String?
    package var port: UInt16?
    /// Listen beyond loopback even without TLS.
    package var isInsecure = false
    /// Seconds.
    package var permissionTimeout: Double?
    package var logLevel = LogLevel.info
    /// Nil if the daemon does not know Claude's settings.
    package var hooks: HookInstallation?

    package init(home: String, socket: String, hooks: HookInstallation? = nil) {
        self.home = home
        self.socket = socket
        self.hooks = hooks
    }

    package var configurationPath: String { home + "/config.json" }
    package var databasePath: String { home + "/cdev.db" }
    package var transcriptsPath: String { home + "/transcripts.db" }
    package var logPath: String { home + "/server.log" }

    func applied(to configuration: Configuration) throws(ConfigurationError) -> Configuration {
        var result = configuration
        if let host { result.host = host }
        result.isInsecure = isInsecure
        if let port { result.port = port }
        if let permissionTimeout {
            guard permissionTimeout >= 1, permissionTimeout <= Configuration.longestTimeout else {
                throw .invalid(
                    source: "command line", key: "--permission-timeout", value: "\(permissionTimeout)",
                    allowed: "a number of seconds from 1 to \(Int(Configuration.longestTimeout))")
            }
            result.policy.permissionTimeout = permissionTimeout
        }
        return result
    }
}
