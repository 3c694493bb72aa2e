/// Commands that do all that another one does, and more: a rule for `prettier --write` covers `prettier --check`.
///
/// The other command's row still says which options and operands it may have.
enum WiderCommands {
    /// The keys, each as its words and its options, of the commands that do more than the one with this key.
    static func keys(than key: String) -> [(start: String, options: [String])] {
        let front = starters.first { key.utf8.starts(with: $0.utf8) } ?? ""
        let own = String(decoding: key.utf8.dropFirst(front.utf8.count), as: UTF8.self)
        return (byLesser[own] ?? []).map { wider in
            let words = wider.split(separator: " ").map(String.init)
            let end = words.firstIndex { $0.utf8.first == UInt8(ascii: "-") } ?? words.endIndex
            return (front + words[..<end].joined(separator: " "), Array(words[end...]))
        }
    }

    /// All keys that are compared here.
    static var pairs: [(lesser: String, wider: String)] {
        byLesser.flatMap { lesser, wider in wider.map { (lesser, $0) } }
    }

    /// Programs that start the one behind them, always the same way.
    private static let starters = ["npx ", "poetry run ", "python -m ", "python3 -m ", "uv run "]

    private static let byLesser: [String: [String]] = {
        var found: [String: [String]] = [:]
        for line in text.split(separator: "\n") {
            let sides = line.split(separator: "<").map { side in
                side.split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") }
            }
            for lesser in sides[0] { found[lesser, default: []] += sides[1].filter { $0 != lesser } }
        }
        return found
    }()

    /// In front of `<` commands of which each does no more than any behind it.
    private static let text = """
        head, tail, nl, wc, sort, uniq < cat
        head, tail < head, tail, sed -n
        rg --files < rg
        git fetch < git pull, git pull --ff-only, git pull --rebase
        git pull --ff-only < git pull
        git branch, git branch --list < git branch, git branch --list
        git switch -c, git checkout -b < git switch -c, git checkout -b
        git tag, git tag -l, git tag --list < git tag, git tag -l, git tag --list
        git remote, git remote -v, git remote --verbose < git remote -v, git remote --verbose
        npm ls, npm list < npm ls, npm list
        npm view, npm info, npm show < npm view, npm info, npm show
        prettier --check, prettier -c, prettier --list-different, prettier -l < prettier --check, prettier -c
        prettier --check, prettier -c, prettier --list-different, prettier -l < prettier --list-different, prettier -l
        prettier --check, prettier -c, prettier --list-different, prettier -l < prettier --write, prettier -w
        prettier --write, prettier -w < prettier --write, prettier -w
        eslint < eslint --fix
        tsc --noEmit < tsc
        vitest run < vitest
        pytest --collect-only, pytest --co < pytest, pytest --collect-only, pytest --co
        ruff check --diff, ruff check --show-files < ruff check
        ruff check, ruff check --diff, ruff check --show-files < ruff check --fix
        ruff format --check < ruff format --diff
        ruff format --check, ruff format --diff < ruff format
        black --check < black --diff
        black --check, black --diff < black
        isort --check, isort --check-only < isort --check, isort --check-only, isort --diff
        isort --check, isort --check-only, isort --diff < isort
        cargo fmt --check < cargo fmt
        cargo fmt, cargo fmt --check < cargo fmt --all
        cargo check < cargo build
        cargo check, cargo build, cargo test --no-run < cargo test
        gofmt -l, gofmt -d < gofmt -l, gofmt -d, gofmt -w
        go vet < go build, go test
        swift build --show-bin-path < swift build
        swift build, swift build --show-bin-path, swift test list < swift test
        swift format lint < swift format -i, swift format --in-place
        swift-format lint < swift-format -i, swift-format --in-place
        swift format -i, swift format --in-place < swift format -i, swift format --in-place
        swift-format -i, swift-format --in-place < swift-format -i, swift-format --in-place
        """
}
