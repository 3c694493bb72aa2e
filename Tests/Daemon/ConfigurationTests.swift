import Agents
import Core
import Daemon
import Glibc
import TestSupport
import Testing
import Transport

@Suite struct ConfigurationTests {
    private func read(_ text: String) throws -> ConfigurationReader {
        try ConfigurationReader(bytes: Array(text.utf8), path: "config.json")
    }

    @Test func isAsShippedWithoutAFile() throws {
        let home = try PrivateHome()
        let reader = try ConfigurationReader(path: home.file("config.json"))
        #expect(reader.configuration == Configuration() && reader.warnings.isEmpty)
        #expect(try read(" \n").configuration == Configuration())
        let shipped = Configuration()
        #expect(shipped.host == "127.0.0.1" && shipped.port == 8766 && shipped.retentionDays == 30)
        #expect(shipped.policy.gate == .auto && shipped.policy.noApprover == .pass)
        #expect(shipped.policy.permissionTimeout == 60 && shipped.policy.promptTimeout == 3600)
    }

    @Test func isReadIfSomethingHasItsName() throws {
        let home = try PrivateHome()
        let path = home.file("config.json")
        #expect(symlink(home.file("away.json"), path) == 0)
        let error = #expect(throws: ConfigurationError.self) { try ConfigurationReader(path: path) }
        #expect(error?.description.contains("a link to a file") == true, "a link that leads nowhere is no missing file")
        try home.write("away.json", #"{"gate": "always"}"#)
        #expect(try ConfigurationReader(path: path).configuration.policy.gate == .always)
    }

    @Test func takesEveryKey() throws {
        let reader = try read(
            """
            {"allowed_origins": ["https://a"], "confirm": ["Bash(rm)", "mcp__a"], "gate": "prompt", "host": "::1",
             "http_hooks": false, "no_approver": "hold",
             "on_timeout": "deny", "passthrough_tools": ["Read"], "permission_timeout_seconds": 86100, "port": 0,
             "prompt_timeout_seconds": 1.5, "public_url": "https://Cdev.Example/", "retention_days": 7,
             "tls": {"certificate": "/a", "key": "/b"}, "trusted_proxies": ["127.0.0.1", "fd00::/8"]}
            """)
        var expected = Configuration()
        expected.allowedOrigins = ["https://a"]
        expected.host = "::1"
        expected.httpHooks = false
        expected.publicURL = BaseURL(isEncrypted: true, host: "cdev.example", port: 443)
        expected.tls = .files(certificate: "/a", key: "/b")
        expected.trustedProxies = ["127.0.0.1", "fd00::/8"].compactMap(AddressRange.init)
        expected.port = 0
        expected.retentionDays = 7
        expected.policy.confirm = try #require(ConfirmList(["Bash(rm)", "mcp__a"]))
        expected.policy.gate = .prompt
        expected.policy.noApprover = .hold
        expected.policy.onTimeout = .deny
        expected.policy.passthroughTools = ["Read"]
        expected.policy.permissionTimeout = 86_100
        expected.policy.promptTimeout = 1.5
        #expect(reader.configuration == expected && reader.warnings.isEmpty)
        #expect(try read(#"{"tls": "local-ca"}"#).configuration.tls == .localCA)
        #expect(try read(#"{"tls": "off"}"#).configuration == Configuration())
        #expect(try read(#"{"insecure": true}"#).warnings.count == 1, "only the command line can say so")
    }

    @Test func warnsOfWhatItDoesNotKnow() throws {
        let reader = try read(#"{"gates": "prompt"}"#)
        #expect(reader.configuration == Configuration())
        #expect(reader.warnings.count == 1 && reader.warnings[0].contains(#""gates""#))
    }

    @Test(arguments: [
        (#"{"gate": "none"}"#, #""gate" is "none", but must be one of "always", "auto", "prompt", "tool-call""#),
        (#"{"gate": 1}"#, #""gate" is 1"#), (#"{"port": 65536}"#, "0 to 65535"),
        (#"{"port": "80"}"#, #""port" is "80""#),
        (#"{"permission_timeout_seconds": 86101}"#, "86100"), (#"{"prompt_timeout_seconds": 0}"#, "1 to 86100"),
        (#"{"permission_timeout_seconds": "60"}"#, "seconds"), (#"{"on_timeout": "allow"}"#, #""ask", "deny", "pass""#),
        (#"{"no_approver": null}"#, #""deny", "hold", "pass""#), (#"{"retention_days": 0}"#, "1 to 3650"),
        (#"{"device_days": 0}"#, "1 to 3650"), (#"{"device_days": "60"}"#, "1 to 3650"),
        (#"{"passthrough_tools": "Read"}"#, "list"), (#"{"passthrough_tools": [""]}"#, "list"),
        (#"{"allowed_origins": ["*"]}"#, "https://app.example"), (#"{"host": ""}"#, "not empty"),
        (#"{"confirm": "Write"}"#, "list"), (#"{"confirm": ["Bash(rm -rf)"]}"#, "Bash(word)"),
        (#"{"http_hooks": "yes"}"#, "true or false"), (#"{"public_url": "cdev.example"}"#, "https://cdev.example:8443"),
        (#"{"public_url": "https://cdev.example/app"}"#, "without a path"), (#"{"tls": "on"}"#, #""off", "local-ca""#),
        (#"{"tls": true}"#, #""tls" is true"#), (#"{"tls": {"certificate": "/a"}}"#, #"{"certificate": PATH"#),
        (#"{"tls": {"certificate": "/a", "key": "b"}}"#, "absolute"),
        (#"{"tls": {"certificate": "/a", "key": "/b", "x": 1}}"#, "PATH"),
        (#"{"trusted_proxies": "127.0.0.1"}"#, "10.0.0.0/8"), (#"{"trusted_proxies": ["10.0.0.0/33"]}"#, "10.0.0.0/8"),
        (#"{"trusted_proxies": ["proxy.example"]}"#, "10.0.0.0/8"),
        ("[]", "one JSON object"), ("{", "line 1"), ("\0\0\0", "line 1"),
    ])
    func stopsAtWhatItCannotUse(text: String, word: String) {
        let error = #expect(throws: ConfigurationError.self) { try read(text) }
        #expect(error?.description.contains(word) == true && error?.description.contains("config.json") == true)
    }

    @Test func refusesADeadlineBeyondTheRelaysOnTheCommandLine() async throws {
        let error = await #expect(throws: StartError.self) {
            try await TestDaemon { options, _ in options.permissionTimeout = 86_101 }
        }
        #expect(error?.description.contains("--permission-timeout") == true)
    }
}
