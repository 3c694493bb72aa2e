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
        ConfigurationKey(
            "acp_announce", .bool(standard.acpAnnounced), "whether that port is announced in the local network",
            ["true", "false"]),
        ConfigurationKey("acp_port", nil, "the port of the bridge for phones, such as 9099; none without it"),
        ConfigurationKey(
            "allow_bypass", .bool(standard.allowsBypass),
            "whether a session may be started in the mode that asks about nothing", ["true", "false"]),
        ConfigurationKey("allowed_origins", [], "web origins whose pages may connect"),
        ConfigurationKey(
            "chat_errands", .string(standard.chatErrands.rawValue),
            "what becomes of titles and tags that chat front ends ask for",
            ChatErrandPolicy.allCases.map(\.rawValue)),
        ConfigurationKey("claude", nil, "the Claude Code that the daemon runs"),
        ConfigurationKey("confirm", [], "calls whose allow needs a word typed"),
        ConfigurationKey(
            "device_days", .number(JSONNumber(standard.deviceDays)),
            "how many days after its pairing a device's right ends"),
        ConfigurationKey(
            "gate", .string(standard.policy.gate.rawValue), "what is held", Policy.Gate.allCases.map(\.rawValue)),
        ConfigurationKey("host", .string(standard.host), "where HTTP and WebSocket listen"),
        ConfigurationKey("http_hooks", nil, "whether hooks without a token are taken over TCP", ["true", "false"]),
        ConfigurationKey(
            "max_sessions", .number(JSONNumber(standard.mostSessions)),
            "how many sessions with a process the daemon runs at a time"),
        ConfigurationKey(
            "no_approver", .string(standard.policy.noApprover.rawValue), "what happens when nobody can be asked",
            Policy.NoApprover.allCases.map(\.rawValue)),
        ConfigurationKey("notify", nil, "ntfy, a webhook, the app of Claudiator, and which events are notified"),
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
        ConfigurationKey(
            "session_environment", .string(standard.sessionEnvironment.rawValue),
            "the environment of the Claude Code that the daemon runs", ["login", "daemon"]),
        ConfigurationKey(
            "session_idle_minutes", .number(JSONNumber(standard.sessionIdleMinutes)),
            "after how many minutes without work a session's process ends until its next prompt"),
        ConfigurationKey("tls", "off", "whether the daemon speaks TLS", ["off", "local-ca"]),
        ConfigurationKey("trusted_proxies", [], "addresses or networks whose X-Forwarded-For is believed"),
    ]
}
