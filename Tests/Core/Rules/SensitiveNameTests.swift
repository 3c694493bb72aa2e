import Core
import Testing

@Suite("Sensitive names")
struct SensitiveNameTests {
    @Test(
        "no key covers them, in whatever case",
        arguments: [
            "id_rsa", "ID_RSA.pub", "x/id_ed25519", "Id_ecdsa/x", "id_dsa2", "credentials", "CREDENTIALS.json",
            "secrets",
            "Secrets/x", "src/SECRETS.yml", ".git", ".GIT/config", ".claude/x", ".cdev", ".Ssh/config", ".aws", ".kube",
            ".docker", ".gnupg", ".netrc", ".npmrc", ".pypirc", ".git-credentials", ".pgpass", ".env", ".ENV.local",
            ".bash_history", "x_HISTORY", "x.pem", "X.PEM", ".key", "x.key", "x.p12", "x.pfx", "x.JKS", "x.tfstate",
            "x.pem/y", "y//x.pem/", "\u{17F}ecrets", "id_r\u{17F}a", "x.\u{212A}ey", "x_hi\u{FB06}ory",
        ])
    func sensitive(_ name: String) throws {
        let repository = try #require(ScratchRepository.shared)
        #expect(repository.patterns("cat \(name)") == ["Bash(cat \(name))"])
    }

    @Test(
        "names that only begin or end like them are ordinary",
        arguments: [
            "ideas.md", "id_", "classes", "credential", "secret", ".env.example", ".ENV.example", ".gitignore",
            "history",
            "x.pe", "pem", "x.keys", "y.p1", "x.state", "i", "s", "y", "2", "caf\u{E9}s", "\u{E9}.md",
        ])
    func ordinary(_ name: String) throws {
        let repository = try #require(ScratchRepository.shared)
        #expect(repository.patterns("cat \(name)") == ["Bash(cat:*)"])
    }
}
