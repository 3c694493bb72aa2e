import Core

/// The environment that git gets, which is never the daemon's own.
struct GitEnvironment {
    /// Variables of the daemon that git gets for reading.
    private static let forReading = [
        "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM", "HOME", "PATH", "TMPDIR", "XDG_CONFIG_HOME",
    ]

    /// Those that hooks, credential helpers and ssh may need, as at the terminal.
    static let forWriting =
        forReading + [
            "ALL_PROXY", "DBUS_SESSION_BUS_ADDRESS", "EMAIL", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_NAME",
            "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_NAME", "GIT_SSH_COMMAND", "GNUPGHOME", "HTTPS_PROXY",
            "HTTP_PROXY", "LOGNAME", "NO_PROXY", "SHELL", "SSH_AUTH_SOCK", "SSL_CERT_DIR", "SSL_CERT_FILE", "USER",
            "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "all_proxy", "http_proxy",
            "https_proxy", "no_proxy",
        ]

    /// In each run: English messages, which `GitProblem` reads, and nothing that waits for a person.
    private static let fixed = [
        "GIT_ASKPASS": "", "GIT_EDITOR": "true", "GIT_MERGE_AUTOEDIT": "no", "GIT_PAGER": "cat",
        "GIT_SEQUENCE_EDITOR": "true", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C.UTF-8", "PAGER": "cat",
        "SSH_ASKPASS": "", "SSH_ASKPASS_REQUIRE": "never",
    ]

    /// In each reading: no lock, no other machine, and no object fetched that is missing here.
    private static let fixedForReading = [
        "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0",
    ]

    /// - Parameter daemon: The daemon's environment.
    static func variables(for invocation: GitInvocation, daemon: [String: String]) -> [String: String] {
        let isReading = invocation.kind == .reading
        let names = Set(isReading ? forReading : forWriting)
        var variables = daemon.filter { names.contains($0.key) }
        variables.merge(fixed) { $1 }
        if isReading { variables.merge(fixedForReading) { $1 } }
        if invocation.isLiteral { variables["GIT_LITERAL_PATHSPECS"] = "1" }
        for (index, setting) in invocation.settings.enumerated() {
            variables["GIT_CONFIG_KEY_\(index)"] = setting.key
            variables["GIT_CONFIG_VALUE_\(index)"] = setting.value
        }
        if !invocation.settings.isEmpty { variables["GIT_CONFIG_COUNT"] = "\(invocation.settings.count)" }
        return variables
    }
}
