/// What may stand behind `|` without a rule: it reads what it is fed and prints.
enum Filters {
    /// The command is one of these, with these options, and opens no file.
    static func check(_ command: SimpleCommand, in place: Place) throws(Refusal) {
        let words = command.words
        guard place.suits(words[0].value) else { throw .workingDirectory }
        var refusal: Refusal?
        for row in rows where CommandMatch.begins(words, with: row) {
            do throws(Refusal) {
                let key = try CommandMatch.key(of: words, by: row, in: place)
                // It needs no rule, so none could say where it holds.
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
