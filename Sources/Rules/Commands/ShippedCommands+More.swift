/// Rows for commands whose operand is a program in their own language, and for scripts that are run by their own name.
extension ShippedCommands {
    static let more = #"""
        sed | getopt | -E -r -e=substitution | substitution path... | prints files with one text in place of another; -i, and the flags and commands that write or run, are not covered
        jq | own reads | -r -c -s -S -e -j -a -M -C --raw-output --compact-output --slurp --sort-keys --exit-status --join-output --ascii-output --monochrome-output --color-output --tab | filter path... | prints parts of files; filters that come to the environment or to other files are not covered
        rg --files | clap reads | -t=name -T=name -g=glob --type=name --type-not=name --glob=glob --max-depth=count --sort=path|modified|accessed|created|none | path... | lists names; leaves hidden and ignored files out
        git pull --rebase | getopt_long | anywhere -q -v --quiet --verbose | remote name... | fetches from a remote the repository's settings name and puts own commits on top
        git pull --ff-only | getopt_long | anywhere -q -v --quiet --verbose | remote name... | fetches from a remote the repository's settings name, and moves the branch on where it has no commits of its own
        pnpm build, pnpm lint, pnpm typecheck, pnpm format, yarn build, yarn lint, yarn typecheck, yarn format | own local | -s --silent | args... -- args... | runs the script of that name; where there is none, a program of that name
        npx prettier --check, npx prettier -c, npx prettier --list-different, npx prettier -l | own local | anywhere --no-color --ignore-unknown -u | path... | checks the format
        npx prettier --write, npx prettier -w | own local | anywhere --no-color --ignore-unknown -u | formatted... | formats files in the project
        """#
}
