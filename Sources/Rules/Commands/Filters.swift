/// Commands that may follow `|` without a rule: they read their input and print.
enum Filters {
    /// Throws unless the command matches one of these rows and so opens no file.
    static func check(_ command: SimpleCommand, in place: Place) throws(Refusal) {
        let words = command.words
        guard place.suits(words[0].value) else { throw .workingDirectory }
        var refusal: Refusal?
        for row in rows where CommandMatch.begins(words, with: row) {
            do throws(Refusal) {
                let key = try CommandMatch.key(of: words, by: row, in: place)
                // A filter needs no rule, so a key that holds in one directory only could not be enforced.
                guard key.directory == nil else { throw .workingDirectory }
                return
            } catch {
                refusal = refusal ?? error
            }
        }
        throw refusal ?? .behindPipe
    }

    static let rows = ShippedCommands.parse(text)

    static let text = """
        awk | getopt reads | -F=separator | fields | prints fields of what it is fed; other programs write, run and read
        cat, nl | getopt_long reads | | none | prints what it is fed
        cut | getopt_long reads | -d=text -f=text -c=text | none | cuts columns out of what it is fed
        grep | getopt_long reads | -E -F -i -v -n -c -o -w -A=count -B=count -C=count -m=count | text | one pattern, no file
        head, tail | getopt_long reads | -n=count -c=count -# | none | the first or last lines of what it is fed
        jq | own reads | -r -c -s -S -e -j -a -M -C --raw-output --compact-output --slurp --sort-keys --exit-status --join-output --ascii-output --monochrome-output --color-output --tab | filter | prints parts of what it is fed; other filters read the environment and files
        sed | getopt reads | -E -r -e=substitution | substitution | puts one text in place of another
        sed -n | getopt reads | -e=lines | lines | lines by number
        sort | getopt_long reads | -n -r -u -h -k=text -t=text -V | none | sorts what it is fed
        tr | getopt reads | -d -s -c -C | text text | only ever reads what it is fed
        uniq | getopt_long reads | -c -d -u | none | its second operand would be written
        wc | getopt_long reads | -l -w -c | none | counts what it is fed
        """
}
