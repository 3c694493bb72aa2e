import Host
import Rules
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
            "x.pem/y", "y//x.pem/", "\u{17F}ecrets", "id_r\u{17F}a", "prod.env", "x.ENV",
            ".env.whatever", ".secrets", "aws-credential.txt", "my_Credentials.yml", "service-account-prod.json",
            "service_account.json", "kubeconfig", ".dockercfg", ".htpasswd", ".my.cnf", ".vault-token", "x.tfvars",
            "x.ppk",
            ".dev.vars", ".flaskenv", "client_secret_1.json", "kubeconfig.yaml", "x.kubeconfig", "secret.json", "x.p8",
            "key.json", "creds.json", "gha-creds-1a2b.json", "cookies.txt", "vault.yml", "secret.ini", "x.age",
            ".claude.json", "x.keytab", ".mcp.json", ".cursor/mcp.json", ".gemini/oauth_creds.json", "opencode.jsonc",
            ".codex/config.toml",
            "x.keystore", "x.kdbx", "x.pem.bak", "\u{212A}ubeconfig", "x.\u{212A}ey", "x_hi\u{FB06}ory",
        ])
    func sensitive(_ name: String) throws {
        let repository = try #require(ScratchRepository.shared)
        #expect(repository.patterns("cat \(name)") == ["Bash(cat \(name))"])
    }

    @Test(
        "a rule for writing covers nothing that runs by itself, in whatever case",
        arguments: [
            ".gitlab-ci.yml", ".circleci/config.yml", ".travis.yml", "Jenkinsfile", "azure-pipelines.yml", ".drone.yml",
            ".buildkite/x.sh", ".github/workflows/a.yml", ".github/actions/x/action.yml", "bitbucket-pipelines.yml",
            "Package@swift-5.9.swift", "x.code-workspace", ".vimrc", ".exrc", ".nvim.lua", ".emacs", ".dir-locals.el",
            ".irbrc", ".pryrc", ".gdbinit", ".lldbinit", ".ghci", ".iex.exs", ".Rprofile", ".psqlrc",
            ".zed/settings.json",
            "CLAUDE.md", "docs/CLAUDE.local.md", "AGENTS.md", ".cursorrules", ".cursor/rules/x.md", "env/bin/activate",
            "CODEBUDDY.md", "IFLOW.md", "docs/TABNINE.md", "bugbot.md", ".github/lsp.json",
            ".github/plugin/marketplace.json", ".github/settings.yml", ".github/dependabot.yml",
            "ENV/bin/python", "x/bin/activate", "pyvenv.cfg", ".foorc", ".foorc.json", "karma.conf.js", "jest.setup.ts",
            "x.config.yaml", "biome.json", "ruff.toml", ".ruff.toml", ".rubocop_todo.yml", "BUILD", "WORKSPACE.bazel",
            "x.bzl",
            "meson.build", "flake.nix", "pubspec.yaml", "build.gradle.kts", "x.gradle.kts", "buildSrc/x.kt",
            "Taskfile.yml",
            "requirements.txt", "requirements-dev.txt", ".python-version", ".nvmrc", "go.work.sum", "clippy.toml",
            ".ignore", ".rgignore", ".gitignore", ".config/nextest.toml", "x.runsettings", "Directory.Packages.props",
            "hooks/pre-commit", "githooks/post-checkout", "x/commit-msg", ".hg/hgrc", ".jj/repo/config.toml",
            "mise.local.toml",
            "spec/spec_helper.rb", "test/test_helper.exs", "brunch-config.js", "circle.yml",
            "pelicanconf.py",
            "cucumber.mjs", "ormconfig.json", "eslint-local-rules/index.js", "site_scons/site_init.py", "knexfile.ts",
            "db/knexfile.mjs", "typedoc.json",
            "dart_test.yaml", "pytest.toml", "x.csproj.user", ".github/hooks/x.json",
            ".claude-plugin/plugin.json", "AGENT.md", "user.bazelrc", "tools/bazel", "default.nix",
            "init.lua", ".terraform/x", "cdk.json", "pylintrc", ".pdm-python", "magefiles/x.go", "x-gdb.py",
            "vite.config.mts", "binding.gyp", "gems.rb", "x.gypi", "rules.make", "prek.toml",
            "gradle/gradle-daemon-jvm.properties",
            "x.projitems", ".php-version", "tsconfig.base.json", "Cargo.toml", "x.cabal", "project.pbxproj",
            "ma\u{212A}efile",
        ])
    func runs(_ name: String) throws {
        #expect(try patterns("Write", name).isEmpty)
        #expect(try !patterns("Read", name).isEmpty)
    }

    /// Emacs saves `#.env#` beside a file that is being changed.
    @Test func saved() throws {
        #expect(try patterns("Read", "#.env#").isEmpty && patterns("Read", "##.env##").isEmpty)
        #expect(try !patterns("Read", "#a.txt#").isEmpty && !patterns("Read", "##").isEmpty)
    }

    private func patterns(_ tool: String, _ name: String) throws -> [Pattern] {
        let repository = try #require(ScratchRepository.shared)
        return RuleEngine.patterns(
            tool: tool, input: FileCaseTests.input(tool: tool, path: name), context: repository.context(),
            paths: DiskPaths())
    }

    @Test(
        "a rule for writing covers ordinary names",
        arguments: [
            "src/a.ts", "README.md", "src/config.ts", "claude/x.md", "building.md", "src/env/x.ts", "tests/test_a.py",
            "config/app.yml", "docs/agents/x.md", "x.json", "binary/activate", "rc.ts", "src/arc", "march.md",
        ])
    func plain(_ name: String) throws {
        let repository = try #require(ScratchRepository.shared)
        let offered = RuleEngine.patterns(
            tool: "Write", input: FileCaseTests.input(tool: "Write", path: name), context: repository.context(),
            paths: DiskPaths())
        #expect(offered.count == 1)
    }

    @Test(
        "names that only begin or end like them are ordinary",
        arguments: [
            "ideas.md", "id_", "classes", "secret", "environment", "pem.md", "x.pems", "kubeconfigs",
            "service-account.md", "crud.ts", ".env.example", ".ENV.example", ".gitignore",
            "history",
            "x.pe", "pem", "x.keys", "y.p1", "x.state", "i", "s", "y", "2", "caf\u{E9}s", "\u{E9}.md",
        ])
    func ordinary(_ name: String) throws {
        let repository = try #require(ScratchRepository.shared)
        #expect(repository.patterns("cat \(name)") == ["Bash(cat:*)"])
    }
}
