import OrderedJSON
import Text

/// The tasks of a project that texts run by name: `npm run lint` runs what `package.json` says.
enum ProjectTasks {
    private static let managers = ["bun", "npm", "node --run", "npm-run-all", "pnpm", "run-p", "run-s", "yarn"]
    /// A task may run others, so many times over.
    private static let deepest = 4

    /// The commands of the tasks whose names stand in the texts.
    static func texts(of starting: [CommandTexts], on root: SessionRoot) -> CommandTexts {
        var found = CommandTexts()
        let texts = starting.flatMap(\.texts).map(\.bytes)
        guard texts.contains(where: { text in managers.contains { text.firstPlace(of: $0.utf8) != nil } }) else {
            return found
        }
        let path = PathText.join(root.resolved.path, "package.json")
        guard root.disk.kind(of: path) == .file else { return found }
        guard let text = root.disk.text(of: path, limit: DiskLookups.longestManifest) else {
            found.startsAny = true
            return found
        }
        var left =
            (try? JSON(parsing: text))?["scripts"]?.objectValue?.map { ($0.key, $0.value.stringValue ?? "") } ?? []
        var looked = words(of: texts)
        for _ in 0..<deepest where !looked.isEmpty {
            let run = left.filter { looked.contains(name(of: $0.0)) }
            left.removeAll { looked.contains(name(of: $0.0)) }
            for task in run { found.add(Array(task.1.utf8), isOfCommands: false) }
            looked = words(of: run.map { SensitiveNames.folded($0.1.utf8) })
        }
        return found
    }

    /// Without `pre` and `post`, which run with the others.
    private static func name(of task: String) -> [UInt8] {
        let name = SensitiveNames.folded(task.utf8)
        let front = ["pre", "post"].first { name.starts(with: $0.utf8) && name.count > $0.utf8.count }
        return Array(name.dropFirst(front?.utf8.count ?? 0))
    }

    private static func words(of texts: [[UInt8]]) -> Set<[UInt8]> {
        var words: Set<[UInt8]> = []
        for text in texts {
            for word in text.split(whereSeparator: { $0 <= 0x20 || "'\";&|()".utf8.contains($0) }) {
                words.insert(Array(word))
            }
        }
        // `npm t`, `npm start` and their like have names of their own.
        return words.contains(Array("t".utf8)) ? words.union([Array("test".utf8)]) : words
    }
}
