import Text

/// Options of test runners, by what they take of a file that follows the last of them.
enum RunnerOptions {
    /// True if the last option does not take what follows the words for a file that it writes or loads.
    ///
    /// Several runners have options that take all words up to the next option, `--reporters default`, also behind `=`. So
    /// only known options count.
    static func leaveNext(_ words: [String]) -> Bool {
        let isOption = { (word: String) in word.utf8.first { !"\"'".utf8.contains($0) } == UInt8(ascii: "-") }
        guard let place = words.lastIndex(where: isOption) else { return true }
        let option = words[place]
        let sign = option.utf8.firstIndex(of: UInt8(ascii: "="))
        let name = sign.map { String(option[..<$0]) } ?? option
        if harmless.contains(name) { return true }
        return single.contains(name) && (sign != nil || place + 1 < words.count)
    }

    /// They have no value, or one that is neither loaded nor written to: a pattern or a number.
    private static let harmless: Set<String> = [
        "--all", "--allow-all", "--allow-env", "--allow-net", "--allow-read", "--bail", "--changed", "--check-leaks",
        "--ci",
        "--collectCoverageFrom", "--color", "--colors", "--coverage", "--detectOpenHandles", "--exclude", "--exit",
        "--files",
        "--expand", "--experimental-strip-types", "--experimental-test-coverage", "--experimental-vm-modules",
        "--forbid-only", "--forceExit", "--full-trace", "--grep", "--headless", "--logHeapUsage", "--match",
        "--no-cache",
        "--no-color", "--no-colors", "--node-resolve", "--no-coverage", "--no-file-parallelism", "--no-isolate",
        "--no-parallel",
        "--no-threads", "--no-timeouts", "--no-warnings", "--no-watch", "--no-watchman", "--onlyChanged", "--parallel",
        "--pass-with-no-tests", "--passWithNoTests", "--project", "--recursive", "--run", "--runInBand",
        "--selectProjects", "--serial", "--silent", "--single-run", "--slow", "--sort", "--spec", "--static-logging",
        "--test", "--test-concurrency",
        "--test-force-exit", "--test-name-pattern", "--test-only", "--testNamePattern", "--testPathIgnorePatterns",
        "--testPathPattern", "--testPathPatterns", "--testTimeout", "--timeout", "--typecheck", "--updateSnapshot",
        "--verbose", "--watch", "--watchAll", "-A", "-b", "-g", "-i",
    ]

    /// They take one value, behind `=` or in the next word.
    private static let single: Set<String> = [
        "--cacheDirectory", "--changedSince", "--config", "--coverageDirectory", "--dir", "--env", "--environment",
        "--globalSetup", "--import", "--loader", "--maxWorkers", "--mode", "--outputFile", "--pool", "--reporter",
        "--require",
        "--root", "--rootDir", "--test-reporter", "--test-reporter-destination", "--ui", "--workers", "-R", "-c", "-r",
        "-w",
    ]
}
