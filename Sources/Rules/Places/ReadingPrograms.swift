/// Programs that check, format or show the files that they are given, and start none of these.
enum ReadingPrograms {
    /// - Parameter word: case folded, with or without directories.
    static func contain(_ word: ArraySlice<UInt8>) -> Bool {
        WordRoles(of: word).contains(.reads)
    }

    static let names =
        """
        ansible-lint autoflake autopep8 bandit basedpyright biome black chmod clang-format clang-tidy codespell cspell djlint \
        docformatter dprint eslint eslint_d flake8 gofmt gofumpt goimports grep hadolint isort jq jscpd jshint ktlint ls \
        markdownlint markdownlint-cli2 mypy oxlint prettier prettierd pycodestyle pydocstyle pyflakes pylint pyright pyupgrade \
        rm rubocop ruff rustfmt shellcheck shfmt sqlfluff standard standardrb stat stylelint swift-format swiftformat swiftlint \
        taplo touch tsc ty typos vale vulture wc xo yamlfmt yamllint yapf
        """
}
