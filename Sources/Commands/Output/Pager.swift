import Glibc

/// Shows long texts page by page.
enum Pager {
    /// Writes the text; by `$PAGER` or less(1) if standard output is a terminal that has fewer rows.
    static func write(_ text: String, _ environment: [String: String]) {
        guard isatty(STDIN_FILENO) == 1, let rows = TerminalLines.rows, text.count(where: \.isNewline) >= rows,
            page(text, environment)
        else { return Terminal.write(text) }
    }

    /// False if the pager did not run.
    private static func page(_ text: String, _ environment: [String: String]) -> Bool {
        let named = environment["PAGER"].flatMap { $0.isEmpty ? nil : $0 } ?? "less"
        var environment = environment
        // As Git does: less ends by itself where all fits, keeps the screen and shows colours.
        if environment["LESS"] == nil { environment["LESS"] = "FRX" }
        return PrivateFile.with(text, named: "text", environment) { path in
            // The variable may hold options, so a shell splits it, as Git does.
            ForegroundProcess.run(["/bin/sh", "-c", named + " \"$1\"", "sh", path], environment: environment)
        } == 0
    }
}
