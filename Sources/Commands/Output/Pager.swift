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
        return TextFile.with(text, environment) { path in
            // The variable may hold options, so a shell splits it, as Git does.
            ForegroundProcess.run(["/bin/sh", "-c", named + " \"$1\"", "sh", path], environment: environment)
        } == 0
    }
}

/// A text in a file that only this user can read, for another program.
enum TextFile {
    /// Returns the result of `body`, which gets the file's path; `nil` if there could be no file.
    static func with(_ text: String, _ environment: [String: String], _ body: (String) -> Int32?) -> Int32? {
        let base = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        // `mkstemp` writes the file's name into it.
        var template = Array((base + "/cdev-XXXXXX").utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { return nil }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(path) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        close(file)
        return rest.isEmpty ? body(path) : nil
    }
}
