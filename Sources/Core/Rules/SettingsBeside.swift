/// Programs that take settings from beside each file they are given, and run the code those name.
enum SettingsBeside {
    /// How the names of such files begin.
    private static let beginnings: [String: [String]] = [
        "eslint": [".eslintrc", "eslint.config.", "package.json"], "markdownlint-cli2": [".markdownlint"],
        "prettier": [".prettierrc", "package.json", "package.yaml", "prettier.config."], "rubocop": [".rubocop."],
        "stylelint": [".stylelintrc", "package.json", "stylelint.config."], "tslint": ["tslint."],
    ]

    /// The directories below the one where it runs that have settings for some of these paths: part of the key.
    static func homes(of paths: [String], by row: CommandRow, in place: Place) throws(Refusal) -> [String] {
        guard let program = row.words.first(where: { beginnings[$0] != nil }), let names = beginnings[program] else {
            return []
        }
        var homes: [String] = []
        for path in paths {
            var directory = place.resolve(path).path
            if place.ground.disk.kind(of: directory) != .directory { directory = PathText.directory(of: directory) }
            while !PathText.contains(directory, place.resolved.path),
                PathText.contains(place.ground.root.path, directory)
            {
                guard let found = place.ground.disk.names(in: directory) else { throw .operand(path) }
                if found.contains(where: { name in names.contains { name.utf8.starts(with: $0.utf8) } }) {
                    let home = try place.named(ShellWord(directory))
                    if !homes.contains(home) { homes.append(home) }
                    break
                }
                directory = PathText.directory(of: directory)
            }
        }
        return homes.sorted()
    }
}
