/// Settings under which git runs no program that a repository names.
package enum GitNeutral {
    /// Settings for every reading, whatever the repository's own are.
    package static let settings: [GitInvocation.Setting] = [
        // A program that is asked which files have changed. An empty value is none in every version.
        .init("core.fsmonitor", ""),
        .init("core.hooksPath", "/dev/null"),
        .init("diff.external", ""),
        // Would run gpg.program.
        .init("log.showSignature", "false"),
        // Would run git in the submodules, with their settings.
        .init("diff.submodule", "short"),
        .init("submodule.recurse", "false"),
        // A repository inside of another that looks like a directory of files.
        .init("safe.bareRepository", "explicit"),
        // A file that may be missing, or a pipe.
        .init("diff.orderFile", "/dev/null"),
        // These change the output that we parse.
        .init("color.ui", "false"),
        .init("core.quotePath", "false"),
        .init("diff.noprefix", "false"),
        .init("diff.mnemonicPrefix", "false"),
        .init("diff.suppressBlankEmpty", "false"),
        .init("log.date", "default"),
        .init("log.showRoot", "true"),
        .init("status.relativePaths", "true"),
    ]

    /// The words of a run of git that lists the settings which `filters(in:)` reads.
    package static let listing: [GitWord] = ["config", "--null", "--name-only", "--get-regexp", "^filter\\."]

    /// Drivers of filters that are taken off; a repository with more is not read.
    package static let mostDrivers = 256

    /// Settings that take the filters' programs off. `nil` if there are too many.
    /// - Parameter output: What `listing` wrote.
    package static func filters(in output: [UInt8]) -> [GitInvocation.Setting]? {
        var drivers: Set<String> = []
        var keys = NULFields(output)
        while let bytes = keys.next() {
            // A name that is not UTF-8 could not be named in the environment.
            guard let key = String(validating: bytes, as: UTF8.self) else { return nil }
            guard let end = key.utf8.lastIndex(of: UInt8(ascii: ".")) else { continue }
            // `filter.process` is no driver: the name between the points is missing.
            let start = key.utf8.index(key.startIndex, offsetBy: "filter.".utf8.count)
            if start <= end { drivers.insert(String(key[start..<end])) }
        }
        guard drivers.count <= mostDrivers else { return nil }
        return drivers.sorted().flatMap { driver -> [GitInvocation.Setting] in
            [
                .init("filter.\(driver).clean", ""), .init("filter.\(driver).process", ""),
                .init("filter.\(driver).required", "false"), .init("filter.\(driver).smudge", ""),
            ]
        }
    }
}
