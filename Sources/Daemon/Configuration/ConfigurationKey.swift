import Agents
import Core
package import OrderedJSON

/// A key of `config.json`, for commands that show and change it. The README has the whole meaning of each.
package struct ConfigurationKey: Sendable, Hashable {
    package let name: String
    /// The value in force if the file does not name the key; `nil` if there is none.
    package let fallback: JSON?
    package let meaning: String
    /// The values that it takes, where they are few.
    package let choices: [String]

    private init(_ name: String, _ fallback: JSON?, _ meaning: String, _ choices: [String] = []) {
        self.name = name
        self.fallback = fallback
        self.meaning = meaning
        self.choices = choices
    }

    private static let standard = Configuration()

    /// Sorted.
    package static let all: [ConfigurationKey] = [
        ConfigurationKey("allowed_origins", [], "web origins whose pages may connect"),
        ConfigurationKey("confirm", [], "calls whose allow needs a word typed"),
        ConfigurationKey(
            "device_days", .number(JSONNumber(standard.deviceDays)),
            "how many days after its pairing a device's right ends"),
        ConfigurationKey(
            "gate", .string(standard.policy.gate.rawValue), "what is held", Policy.Gate.allCases.map(\.rawValue)),
        ConfigurationKey("host", .string(standard.host), "where HTTP and WebSocket listen"),
        ConfigurationKey("http_hooks", nil, "whether hooks without a token are taken over TCP", ["true", "false"]),
        ConfigurationKey(
            "no_approver", .string(standard.policy.noApprover.rawValue), "what happens when nobody can be asked",
            Policy.NoApprover.allCases.map(\.rawValue)),
        ConfigurationKey("notify", nil, "ntfy, a webhook, and which events are notified"),
        ConfigurationKey(
            "on_timeout", .string(standard.policy.onTimeout.rawValue), "what happens when nobody answers",
            Policy.OnTimeout.allCases.map(\.rawValue)),
        ConfigurationKey(
            "passthrough_tools", .array(ClaudeTools.passthrough.map { .string($0) }),
            "names of tools whose calls are never held"),
        ConfigurationKey(
            "permission_timeout_seconds", .number(JSONNumber(Int(standard.policy.permissionTimeout))),
            "how long a call is held"),
        ConfigurationKey("port", .number(JSONNumber(Int(standard.port))), "the port of HTTP and WebSocket"),
        ConfigurationKey(
            "prompt_timeout_seconds", .number(JSONNumber(Int(standard.policy.promptTimeout))),
            "how long a call can be answered here beside Claude's own dialog"),
        ConfigurationKey("public_url", nil, "the address at which people reach the daemon"),
        ConfigurationKey(
            "retention_days", .number(JSONNumber(standard.retentionDays)), "how many days the audit log is kept"),
        ConfigurationKey("tls", "off", "whether the daemon speaks TLS", ["off", "local-ca"]),
        ConfigurationKey("trusted_proxies", [], "addresses or networks whose X-Forwarded-For is believed"),
    ]
}
