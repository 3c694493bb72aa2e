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
        var left = Place.mostNamesBelow
        for path in paths.isEmpty && !row.operands.isEmpty ? ["."] : paths {
            var directory = place.resolve(path).path
            try checkBelow(directory, path, names, in: place, left: &left)
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

    /// No such settings further below a directory: they are beside files that it stands for. A manifest there hardly ever
    /// holds some, and is in every package.
    private static func checkBelow(
        _ top: String, _ path: String, _ names: [String], in place: Place, left: inout Int
    ) throws(Refusal) {
        try place.lookBelow(top, path, left: &left) { found, entry throws(Refusal) in
            let isBeside = names.contains { !$0.hasPrefix("package.") && entry.name.utf8.starts(with: $0.utf8) }
            if isBeside, !PathText.same(PathText.directory(of: found), top) { throw .operand(path) }
            return entry.name != ".git" && entry.name != "node_modules"
        }
    }
}
