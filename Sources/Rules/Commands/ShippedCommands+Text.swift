/// The table of known commands, in the columns that `ShippedCommands.rows(line:)` reads.
///
/// The options are those known to be harmless. Options that make a command write, send, install or run something are
/// left out, and so are options with which the command does less, unless they are part of the key. A command without a
/// row has no prefix rule.
extension ShippedCommands {
    static let text = [
        files, output, git, packages, builds, checks, compiled, containers, services, versions, scripts, more,
    ].joined(separator: "\n")

    private static let files = #"""
        ls | getopt_long reads | -a -A -l -h -t -r -R -1 -d -F -S -s -i -n -p -C -x -g -o -G -k --all --almost-all --human-readable --recursive --reverse --color?=auto|always|never --group-directories-first --full-time --time-style=full-iso|long-iso|iso|locale --sort=none|size|time|version|extension | path... | lists names; with -L and -R it would follow links
        cat | getopt_long reads | -n -b -s -A -e -t -v -E -T --number | path... | prints files that are no secrets
        head, tail | getopt_long reads | -n=count -c=count -q -v -# --lines=count --bytes=count | path... | prints the ends of files; tail -f never ends, so it is not covered
        wc | getopt_long reads | -l -w -c -m -L --lines --words --bytes --chars | path... | counts
        nl | getopt_long reads | -b=a|t|n -n=ln|rn|rz -w=count | path... | prints files with numbers
        stat | getopt_long reads | -c=text -L -x --format=text --printf=text | path... | prints what the file system knows of a file; -f and -t take a value on some systems only
        du | getopt_long reads | -s -h -a -c -k -m -d=count --summarize --human-readable --max-depth=count --apparent-size --total | path... | prints sizes
        df | getopt_long reads | -h -k -m -T -i -a --human-readable | path... | prints free space
        diff | getopt_long reads | -u -q -w -b -B -i -y -a -s -U=count -C=count --unified?=count --brief --side-by-side --ignore-all-space --ignore-space-change --ignore-blank-lines --color?=auto|always|never --strip-trailing-cr | file file | compares two files; directories would be read whole
        cmp | getopt_long reads | -s -l -b --silent --quiet | file file | compares two files
        comm | getopt_long reads | -1 -2 -3 -i | file file | compares two sorted files
        find | own reads | -name=text -iname=text -path=text -ipath=text -wholename=text -type=f|d|l|f,d|d,f -maxdepth=count -mindepth=count -not -o -or -a -and -size=text -mtime=count -mmin=count -atime=count -ctime=count -newer=path -print -print0 -empty -prune -executable -readable -writable -perm=text -user=name -group=name | path... | lists names; what runs, deletes or writes by option is not covered
        sed -n | getopt reads | -e=lines | lines path... | prints lines by number
        grep | getopt_long reads | -n -i -v -w -x -c -l -L -o -E -F -G -H -h -q -s -I -r=below --recursive=below --exclude=text --exclude-dir=text -A=count -B=count -C=count -m=count -e=pattern --line-number --ignore-case --invert-match --word-regexp --count --files-with-matches --files-without-match --only-matching --extended-regexp --fixed-strings --no-filename --with-filename --quiet --after-context=count --before-context=count --max-count=count --color?=auto|always|never --regexp=pattern | text tree... | prints matching lines of the files named, or below them if nothing sensitive lies there; `-5` is a depth to ugrep
        rg | clap reads | -n -i -S -s -v -w -x -c -l -o -F -N -H -I -q -A=count -B=count -C=count -m=count -t=name -T=name -g=glob -e=pattern --line-number --no-line-number --ignore-case --smart-case --case-sensitive --invert-match --word-regexp --count --count-matches --files-with-matches --files-without-match --only-matching --fixed-strings --no-heading --heading --multiline -U --type=name --type-not=name --glob=glob --after-context=count --before-context=count --context=count --max-count=count --max-depth=count --stats --color=auto|always|never|ansi --no-filename --with-filename --sort=path|modified|accessed|created|none --trim --column | text path... | prints matching lines; leaves hidden and ignored files out
        tree | own reads | -L=count -L?=count -a -d -f -h -s -p -D -F -C -n -I=text -P=text --dirsfirst --noreport --gitignore --prune --du | path... | lists names
        file | getopt_long reads | -b -i -L -h --brief --mime --mime-type | path... | says what a file is
        realpath | getopt_long reads | -e -m -s -q | path... | prints where a path leads
        readlink | getopt_long reads | -f -e -m -n | path... | prints where a link leads
        basename | getopt_long reads | -a -s=text | text... | cuts a word
        dirname | getopt_long reads | | text... | cuts a word
        md5sum, sha1sum, sha256sum, sha512sum | getopt_long reads | -b -t | path... | prints sums; -c would read files named in a list
        shasum | own reads | -a=count -b -t | file... | prints sums
        cksum, sum | getopt_long reads | | path... | prints sums
        strings | getopt_long reads | -a -n=count -t=d|o|x | path... | prints the texts in a file
        hexdump | getopt_long reads | -C -n=count -s=count -v | path... | prints bytes
        od | getopt_long reads | -c -x -b -A=d|o|x|n -t=text -N=count -j=count -v | path... | prints bytes
        column | getopt_long reads | -t -s=text | path... | lays out columns
        tac, rev | getopt_long reads | | path... | prints a file turned around
        sort | getopt_long reads | -n -r -u -f -h -V -b -k=text -t=text | path... | prints the lines of files in order; -o and its like would write
        uniq | getopt_long reads | -c -d -u -i | file | prints lines once; a second operand would be written
        cut | getopt_long reads | -d=text -f=text -c=text -b=text -s | path... | prints columns
        fold, fmt | getopt_long reads | -w=count -s | path... | wraps lines
        mkdir | getopt_long | -p -v | created... | makes directories in the project
        touch | getopt_long | | created... | makes empty files in the project, or renews their time
        """#

    private static let output = #"""
        echo | own reads | all | text... | prints its words
        pwd | own reads | -P -L | none | prints the directory
        true | getopt_long reads | | none | does nothing
        test | own reads | -e=path -f=path -d=path -s=path one | none | asks whether a file exists
        date | getopt_long reads | -u -I?=date|hours|minutes|seconds|ns -R --utc --iso-8601?=date|hours|minutes|seconds|ns | format | prints the time; an operand without + would set it
        whoami, uptime, nproc, arch, tty, groups | getopt_long reads | | none | says something about this machine
        uname | getopt_long reads | -a -s -r -m -n -v -p -o | none | says what system this is
        id | getopt_long reads | -u -g -n -G -un -gn | none | says who runs this
        hostname | getopt_long reads | -s -f | none | says what this machine is called; an operand would rename it
        free | getopt_long reads | -h -m -g -k -t | none | prints the use of memory
        ps aux, ps -ef, ps -e, ps | getopt_long reads | | none | lists processes
        which | getopt reads | -a | name... | says where a command lies
        command -v, type | getopt reads | | name... | says where a command lies
        sleep | own reads | | count | waits
        seq | getopt_long reads | -w -s=text | count count count | prints numbers
        cal | getopt_long reads | | none | prints a calendar
        locale | getopt_long reads | -a | none | prints the locale
        lsb_release | own reads | -a -d -r -c -s | none | says what system this is
        sw_vers | own reads | | none | says what system this is
        """#

    private static let git = #"""
        git status | getopt_long reads | -s -b -v -u?=no|normal|all -z --short --branch --long --show-stash --porcelain?=v1|v2 --untracked-files?=no|normal|all --ignored?=traditional|no|matching --ahead-behind --no-ahead-behind --no-renames | path... | says what has changed
        git diff | own reads | -s -p -u -w -b -M -a -U?=count -S=text -S?=text -G=text -G?=text --cached --staged --stat?=text --shortstat --numstat --dirstat --summary --name-only --name-status --no-color --color?=auto|always|never --word-diff?=color|plain|porcelain|none --color-words --unified=count --check --ignore-all-space --ignore-space-change --ignore-blank-lines --no-ext-diff --no-textconv --merge-base --patch --no-patch --no-renames --find-renames --diff-filter=text --compact-summary --minimal --patience --histogram --exit-code --quiet --no-prefix --relative --full-index --raw --text -z -R | rev... -- path | shows changes; --output would write
        git log | own reads | -s -p -u -w -b -M -n=count -n?=count -# -S=text -S?=text -G=text -G?=text -i -E -F --oneline --stat?=text --shortstat --numstat --summary --name-only --name-status --graph --decorate?=short|full|auto|no --no-decorate --all --branches --tags --remotes --format?=layout --pretty?=layout --date=text --since=text --after=text --until=text --before=text --author=text --committer=text --grep=text --max-count=count --skip=count --reverse --merges --no-merges --first-parent --follow --abbrev-commit --no-abbrev-commit --abbrev?=count --no-color --color?=auto|always|never --patch --no-patch --diff-filter=text --cherry-pick --left-right --topo-order --date-order --no-renames --find-renames --compact-summary --pickaxe-regex --full-history --simplify-merges --ancestry-path --no-ext-diff --invert-grep --all-match -z | rev... -- path | shows history; --output would write
        git show | own reads | -s -p -u -w -b -M -U?=count --stat?=text --shortstat --numstat --summary --name-only --name-status --oneline --format?=layout --pretty?=layout --date=text --abbrev-commit --no-color --color?=auto|always|never --no-patch --patch --unified=count --word-diff?=color|plain|porcelain|none --no-renames --find-renames --compact-summary --no-ext-diff --raw | rev... -- path | shows a commit
        git blame | own reads | -s -w -b -l -t -e -f -n -p -M -C -L=text -L?=text --date=text --show-email --show-name --show-number --porcelain --line-porcelain --abbrev?=count --since=text --root | rev... -- path | says who wrote a line
        git shortlog | getopt_long reads | -s -n -e -c --summary --numbered --email --since=text --until=text --no-merges --all | rev... -- path | counts commits
        git ls-files | getopt_long reads | -c -d -m -o -i -s -u -t -v -z --cached --deleted --modified --others --stage --unmerged --exclude-standard --full-name --error-unmatch --directory --no-empty-directory --ignored | path... | lists files
        git ls-tree | getopt_long reads | -r -d -t -l -z --name-only --name-status --full-tree --full-name --long | rev... -- path | lists files
        git rev-parse | own reads | -q --short?=count --abbrev-ref --show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir --is-inside-work-tree --is-bare-repository --is-inside-git-dir --verify --symbolic-full-name --quiet --is-shallow-repository | name... | says what a name stands for
        git rev-list | own reads | -n=count -n?=count -# --count --all --max-count=count --reverse --first-parent --merges --no-merges --left-right --since=text --until=text | rev... -- path | lists commits
        git describe | getopt_long reads | --tags --always --long --abbrev?=count --dirty?=text --all --contains --exact-match --match=text --first-parent --candidates=count | name... | says what a commit is called
        git merge-base | getopt_long reads | -a --all --is-ancestor --octopus --fork-point | name... | finds a common ancestor
        git cat-file | getopt_long reads | -t -s -p -e | rev | shows an object
        git name-rev | getopt_long reads | --name-only --tags --always | name... | says what a commit is called
        git branch | getopt_long reads | -a -r -v -vv --all --remotes --verbose --show-current --no-color --color?=auto|always|never --list --merged --no-merged --sort=layout --format=layout --no-column --contains=name --no-contains=name --points-at=name | none | lists branches; a name would make one
        git branch --list | getopt_long reads | anywhere -a -r -v -vv --all --remotes --verbose --no-color --color?=auto|always|never --sort=layout --format=layout --no-column | text... | lists branches
        git remote -v, git remote --verbose | own reads | | none | lists remotes
        git remote | own | | none | lists remotes; a word would do something else
        git remote get-url | own reads | --all --push | name | prints where a remote lies
        git stash list | own reads | -n=count -n?=count -# --oneline --stat --format?=layout --pretty?=layout --date=text | none | lists what is stashed
        git stash show | own reads | -p -u --stat --patch --name-only --name-status --include-untracked --only-untracked --numstat --shortstat | name | shows what is stashed
        git tag -l, git tag --list | getopt_long reads | -n?=count --sort=layout --format=layout --merged --no-merged --contains=name --points-at=name --no-column | text... | lists tags
        git tag | getopt_long | --sort=layout | none | lists tags; a name would make one
        git config --get, git config --get-all | getopt_long reads | --local --show-origin --show-scope --type=bool|int|path|bool-or-int | user.name|user.email|init.defaultBranch|core.autocrlf|core.bare|core.editor|core.excludesFile|core.fileMode|core.hooksPath|core.ignoreCase|core.longpaths|core.pager|commit.gpgsign|commit.template|diff.algorithm|fetch.prune|gpg.format|merge.conflictStyle|merge.ff|pull.ff|pull.rebase|push.autoSetupRemote|push.default|rebase.autoStash|rerere.enabled|remote.origin.url|remote.upstream.url | prints a setting; only of a remote it may hold a password, as `git remote -v` shows
        git worktree list | getopt_long reads | -v --porcelain -z | none | lists work trees
        git reflog, git reflog show | own | -n=count -n?=count -# --oneline --date=text --format?=layout --all | none | lists where HEAD was; a word could be `expire`
        git check-ignore | getopt_long reads | -v -n -q --no-index | path... | says what is ignored
        git submodule status | getopt_long reads | --cached | path... | lists submodules
        git count-objects | getopt_long reads | -v -H | none | counts objects
        git add | getopt_long | -A -u -v -N --all --update --verbose --intent-to-add | staged... | stages files; hooks do not run
        git commit | getopt_long | -F=-| -a -m=text -q -v -s --all --message=text --quiet --verbose --signoff --no-edit --allow-empty | path... | makes a commit; --no-verify and --amend are not covered
        git fetch | getopt_long | -q -v --quiet --verbose | remote name... | fetches from a remote the repository's settings name
        git pull | getopt_long | -q -v --quiet --verbose | remote name... | fetches and merges from a remote the repository's settings name
        git push | getopt_long | -q -v -u --quiet --verbose --set-upstream | remote name... | pushes to a remote the repository's settings name; --force, --delete and --mirror are not covered
        git switch -c, git checkout -b | getopt_long | -q --quiet | name name | makes a branch and goes there
        """#

    private static let packages = #"""
        npm test | own | -s --silent | none -- args... | runs the project's test script
        pnpm test, yarn test | own | -s --silent | args... -- args... | runs the project's tests
        bun test | own | | path... | runs the project's tests; a name beside a word of its own could be an option's
        npm run NAME, pnpm run NAME, yarn run NAME | own | -s --silent | none -- args... | runs one script of package.json
        bun run NAME | own | | none -- args... | runs one script of package.json
        npm ci | own | -s --silent --no-audit --no-fund --no-progress --prefer-offline | none | installs what the lock file names
        npm ls, npm list | own reads | -a -l --all --long --json --depth=count --prod --dev --parseable | package... | lists what is installed
        npm outdated | own reads | --json --long -l --all | package... | says what is out of date
        npm view, npm info, npm show | own reads | --json | package... | prints what the registry knows of a package
        npm audit | own | --json --omit=dev|optional|peer --audit-level=info|low|moderate|high|critical|none --production | none | lists known holes; `npm audit fix` is not covered
        npm root, npm prefix, npm bin | own reads | | none | prints a directory
        pnpm list, pnpm ls | own local | --json --long --parseable | package... | lists what is installed; loads .pnpmfile.cjs
        pnpm outdated, pnpm why, yarn why | own local | | package... | explains what is installed; files of the project may say which version starts
        npm explain, npm why | own reads | --json | package... | explains what is installed
        yarn list | own local | --json | none | lists what is installed; files of the project may say which version starts
        yarn outdated, bun outdated, bun pm ls | own local | | none | lists what is installed; files of the project may say which version starts
        pip list, pip3 list | getopt_long local | --outdated -o --uptodate -u --format=columns|freeze|json --not-required --user --local -l | none | lists what is installed; asks rustc for its version, and files of the project may say which one starts
        pip show, pip3 show | getopt_long reads | -f --files --verbose -v | name... | prints what is known of a package
        pip freeze, pip3 freeze, pip check, pip3 check | getopt_long reads | | none | lists what is installed
        uv pip list, uv pip freeze, uv pip check | clap local | | none | lists what is installed
        uv pip show | clap local | | name... | prints what is known of a package
        uv tree | clap local | --depth=count | none | lists what is required; locks it in uv.lock first
        gem list | own reads | --local | name... | lists what is installed
        bundle list, bundle check | own local | | none | lists what is installed
        brew list | own reads | --versions --formula --cask -1 | formula... | lists what is installed
        apt list | own reads | --installed --upgradable | name... | lists packages
        apt-cache policy, apt-cache show, apt-cache search | own reads | | name... | prints what is known of a package
        dpkg -l, dpkg -L, dpkg -s | own reads | | name... | prints what is known of a package
        """#

    private static let builds = #"""
        make TARGETS | getopt_long local | -j?=count -k -s -B | none | builds these targets; a variable or another directory is not covered
        just TARGETS | clap local | | none | runs these recipes
        just --list, just -l | clap local | | none | lists recipes
        ninja TARGETS | getopt_long local | -j=count -k=count -v | none | builds these targets
        cmake --build | own local | -j?=count --parallel?=count --config=Debug|Release|RelWithDebInfo|MinSizeRel -v --verbose | place | builds in a directory of the project
        ctest | own local | --test-dir=place -V -VV -R=text -E=text -j=count -j?=count --output-on-failure --verbose --rerun-failed --timeout=count -C=Debug|Release|RelWithDebInfo|MinSizeRel -L=text | none | runs the tests of the build directory, which is part of the rule where it is named
        mvn test, ./mvnw test | flag local | -q -B -e -o --quiet --batch-mode --errors --offline -T=text -Dtest?=text | none | runs the tests by pom.xml; other properties and -f are not covered
        mvn compile, mvn package, mvn verify, mvn clean test, mvn test-compile, mvn clean compile, mvn clean verify, mvn clean package, ./mvnw compile, ./mvnw package, ./mvnw verify, ./mvnw clean test, ./mvnw test-compile, ./mvnw clean compile, ./mvnw clean verify, ./mvnw clean package | own local | -q -B -e -o --quiet --batch-mode --errors --offline -T=text | none | builds by pom.xml; -D and -f are not covered
        gradle test, ./gradlew test | own local | --tests=text --info --stacktrace --offline --no-daemon --daemon -q -i -s --quiet --continue --rerun-tasks --parallel --console=plain|auto|rich|verbose | none | runs the tests by build.gradle
        gradle build, gradle check, gradle assemble, ./gradlew build, ./gradlew check, ./gradlew assemble | own local | --info --stacktrace --offline --no-daemon --daemon -q -i -s --quiet --continue --rerun-tasks --parallel --console=plain|auto|rich|verbose | none | builds by build.gradle
        sbt test, sbt compile | own local | | none | builds by build.sbt
        mix test | own local | --trace --cover --stale --failed --max-failures=count --seed=count --only=text --exclude=text --include=text --color --slowest=count | path... | runs the project's tests
        mix compile | own local | --warnings-as-errors --force | none | compiles the project
        mix format --check-formatted | own local | | path... | checks the format
        rake test, rake spec, bundle exec rake test, bundle exec rake spec | own local | | none | runs the project's tests
        composer test | own local | | none | runs the project's test script
        composer validate | own local | --strict --no-check-all | none | checks composer.json
        zig build, zig build test | own local | | none | builds by build.zig
        dart analyze, flutter analyze | own local | --fatal-infos --fatal-warnings | path... | checks the code
        dart test, flutter test | own local | | path... | runs tests
        deno check, deno lint, deno fmt --check | clap local | -q --quiet --json --compact | path... | checks the code
        deno test | clap local | -q --quiet --fail-fast --filter=text --parallel | path... | runs tests without permissions
        """#

    private static let checks = #"""
        pytest --collect-only, pytest --co, uv run pytest --collect-only, uv run pytest --co, poetry run pytest --collect-only, poetry run pytest --co | argparse | anywhere --cov?=measured --cov-report=term|term-missing -x -q -v -vv -vvv -s -l -k=condition -m=condition -n=workers -r=text -rA -ra -rs --lf --ff --nf --last-failed --failed-first --new-first --sw --stepwise --tb=short|long|line|native|no|auto --maxfail=count --durations=count --durations-min=text --verbose --quiet --exitfirst --showlocals --no-header --no-summary --color=yes|no|auto --strict-markers --strict-config --capture=no|fd|sys|tee-sys --timeout=workers --disable-warnings -W=error|ignore|default|always|once|module -p=no:cacheprovider| --runslow --randomly-seed=workers --no-cov --log-level=name --log-cli-level=name --setup-show | path... | lists the tests named, which it imports
        pytest, uv run pytest, poetry run pytest | argparse | --cov?=measured --cov-report=term|term-missing -x -q -v -vv -vvv -s -l -k=condition -m=condition -n=workers -r=text -rA -ra -rs --lf --ff --nf --last-failed --failed-first --new-first --sw --stepwise --tb=short|long|line|native|no|auto --maxfail=count --durations=count --durations-min=text --verbose --quiet --exitfirst --showlocals --no-header --no-summary --color=yes|no|auto --strict-markers --strict-config --capture=no|fd|sys|tee-sys --timeout=workers --disable-warnings -W=error|ignore|default|always|once|module -p=no:cacheprovider| --runslow --randomly-seed=workers --no-cov --log-level=name --log-cli-level=name --setup-show | path... | runs the tests named; plugins, settings and reports by option are not covered
        python3 -m pytest --collect-only, python3 -m pytest --co, python -m pytest --collect-only, python -m pytest --co | argparse local | anywhere -x -q -v -vv -s -l -k=condition -m=condition -n=workers -r=text -rA -ra --lf --ff --last-failed --failed-first --tb=short|long|line|native|no|auto --maxfail=count --durations=count --verbose --quiet --exitfirst --showlocals --no-header --no-summary --color=yes|no|auto --capture=no|fd|sys|tee-sys --timeout=workers --disable-warnings -W=error|ignore|default|always|once|module -p=no:cacheprovider| | path... | lists the tests named, which it imports
        python3 -m pytest, python -m pytest | argparse local | -x -q -v -vv -s -l -k=condition -m=condition -n=workers -r=text -rA -ra --lf --ff --last-failed --failed-first --tb=short|long|line|native|no|auto --maxfail=count --durations=count --verbose --quiet --exitfirst --showlocals --no-header --no-summary --color=yes|no|auto --capture=no|fd|sys|tee-sys --timeout=workers --disable-warnings -W=error|ignore|default|always|once|module -p=no:cacheprovider| | path... | runs the tests named; loads modules from its own directory
        python3 -m unittest, python -m unittest | argparse local | -v -q -f -b -k=text --verbose --quiet --failfast --buffer | module... | runs the tests named; loads modules from its own directory
        python3 -m unittest discover, python -m unittest discover | argparse local | -v -q -f -b -k=text -s=directory --verbose --quiet --failfast --buffer --start-directory=directory | none | runs the tests found (a start that is no directory would be imported, and so is each package on the way: the start is part of the rule); loads modules from its own directory
        mypy, uv run mypy, poetry run mypy | argparse local | --strict --ignore-missing-imports --pretty --no-error-summary --show-error-codes --check-untyped-defs --disallow-untyped-defs --warn-unused-ignores --no-incremental --follow-imports=normal|silent|skip|error --python-version=count --show-column-numbers --no-color-output --explicit-package-bases --namespace-packages -v | path... | checks types; below a directory it follows links to others
        ruff check --diff, ruff check --show-files, ruff format --check, ruff format --diff, uv run ruff check --diff, uv run ruff format --check, uv run ruff format --diff, poetry run ruff check --diff, poetry run ruff format --check, poetry run ruff format --diff | clap | anywhere --diff -q -v --quiet --verbose --statistics --select=text --ignore=text --extend-select=text --output-format=concise|full|json|grouped|github|text --no-cache --exit-zero --preview | formatted... | checks the code
        ruff check, uv run ruff check, poetry run ruff check | clap | anywhere -q -v --quiet --verbose --statistics --select=text --ignore=text --extend-select=text --output-format=concise|full|json|grouped|github|text --no-cache --exit-zero --preview | formatted... | checks the code; with `fix` in its settings it rewrites what it checks
        ruff check --fix, ruff format, uv run ruff check --fix, uv run ruff format, poetry run ruff check --fix, poetry run ruff format | clap | anywhere -q -v --quiet --verbose --select=text --ignore=text --no-cache | formatted... | mends or formats files in the project
        tsc, npx tsc | own | -p=project --project=project --pretty --skipLibCheck --strict --listFiles --diagnostics --extendedDiagnostics --explainFiles | none | compiles; may write what tsconfig says; a file named would have a .js file written beside it and what it imports
        tsc -b, tsc --build, npx tsc -b, npx tsc --build | own | --force --verbose --pretty --listFiles --diagnostics --extendedDiagnostics --explainFiles | project... | compiles projects; may write what tsconfig says
        tsc --noEmit, npx tsc --noEmit | own | -p=project --project=project --incremental=false| --pretty=true|false --skipLibCheck --strict --listFiles --diagnostics --extendedDiagnostics --explainFiles | none | checks types; with `incremental` it writes where tsconfig says, and `--noEmit false` would write more, so no word may follow
        eslint, npx eslint | own local | --ext=text --quiet --max-warnings=count --no-color --color --no-error-on-unmatched-pattern --report-unused-disable-directives --no-warn-ignored --debug --no-inline-config --exit-on-fatal-error --format=stylish|json|html | path... | checks the code
        eslint --fix, npx eslint --fix | own local | anywhere --ext=text --quiet --max-warnings=count --no-color --color --no-error-on-unmatched-pattern --no-warn-ignored | formatted... | mends files in the project where it has a fix
        jest, npx jest | yargs local | -t=text -i -b -w=text --testNamePattern=text --runInBand --bail?=count --verbose --silent --ci --passWithNoTests --maxWorkers=text --no-coverage --coverage=false| --watchAll=false| --onlyChanged -o --onlyFailures -f --detectOpenHandles --forceExit --noStackTrace --expand -e --colors --no-cache --testTimeout=count --no-color --logHeapUsage | path... | runs the tests named
        vitest run, npx vitest run | mri local | --silent --passWithNoTests --no-color --hideSkippedTests --no-coverage --allowOnly --run | path... | runs the tests named
        vitest, npx vitest | mri local | --run | none | runs the tests; a first word may be another command
        prettier --check, prettier -c, prettier --list-different, prettier -l | own local | anywhere --no-color --ignore-unknown -u | path... | checks the format
        prettier --write, prettier -w | own local | anywhere --no-color --ignore-unknown -u | formatted... | formats files in the project
        biome check, biome lint, biome ci | own | --colors=off|force --max-diagnostics=count --diagnostic-level=info|warn|error | path... | checks the code
        oxlint, tslint | own local | --quiet | path... | checks the code
        stylelint, markdownlint, markdownlint-cli2 | own local | --quiet -q | path... | checks the text
        black --check, uv run black --check, poetry run black --check | getopt_long | anywhere -q -v --quiet --verbose --color -l=count --line-length=count --check --profile=name | path... | checks the format
        black --diff, uv run black --diff, poetry run black --diff | getopt_long | anywhere -q -v --quiet --verbose --color -l=count --line-length=count --diff --check --profile=name | formatted... | checks the format
        isort --check, isort --check-only, isort --diff | getopt_long | anywhere -q -v --quiet --verbose --color -l=count --line-length=count --diff --check --profile=name | file... | checks the order of imports; in a directory it follows links out of it
        black, uv run black, poetry run black | getopt_long | -q -v --quiet --verbose -l=count --line-length=count --profile=name | formatted... | formats files in the project
        isort | getopt_long | -q -v --quiet --verbose -l=count --line-length=count --profile=name | file... | formats files in the project
        flake8, pyflakes, pycodestyle, vulture | argparse local | --count --statistics --show-source --max-line-length=count --max-complexity=count --select=text --ignore=text --verbose | path... | checks the code
        pyright, basedpyright | own local | --outputjson --stats --verbose | path... | checks the code
        rspec, bundle exec rspec | own local | -f=documentation|progress|json|d|p --format=documentation|progress|json -e=text --example=text --fail-fast?=count --order=random|defined --seed=count --no-color --color --tag=text -t=text --backtrace -b --profile?=count --only-failures --next-failure | path... | runs the tests named
        rubocop, bundle exec rubocop | own local | --format=simple|progress|json|emacs|offenses -f=simple|progress|json|emacs|offenses --only=text --except=text --parallel --no-color --display-cop-names -D | path... | checks the code
        phpunit | own local | --filter=text --testdox --stop-on-failure --verbose -v --group=text --testsuite=text --no-coverage --colors?=never|auto|always | path... | runs the tests named
        golangci-lint run | own local | -v --verbose --fast --new | path... | checks the code
        staticcheck | flag | | path... | checks the code
        gofmt -l, gofmt -d | flag reads | -s -e | formatted... | checks the format
        gofmt -w | flag | -s -e | formatted... | formats files in the project
        shellcheck | getopt_long reads | -s=sh|bash|dash|ksh|busybox -S=error|warning|info|style -e=text -i=text -f=tty|gcc|json|json1|checkstyle|diff|quiet -C?=auto|always|never --shell=sh|bash|dash|ksh|busybox --severity=error|warning|info|style --exclude=text --format=tty|gcc|json|json1|checkstyle|diff|quiet | path... | checks scripts; -x would follow what they source
        yamllint | own reads | --strict -s | path... | checks files
        actionlint, hadolint | own reads | | path... | checks files
        jsonlint | own local | | path... | checks files; its settings may be a program
        rustfmt --check | own local | --edition=count | path... | checks the format
        swiftlint | own local | --strict --quiet | none | checks the code; a first word may be another command
        swiftlint lint | own local | --strict --quiet | path... | checks the code
        """#

    private static let compiled = #"""
        cargo build, cargo check | clap | --release -r -p=name --package=name --all --workspace --lib --bin=name --bins --tests --test=name --example=name --examples --benches --all-targets --features=text -F=text --all-features --no-default-features -q --quiet -v --verbose -j=count --jobs=count --offline --locked --frozen --keep-going --message-format=short|json|human --color=auto|always|never --profile=name --exclude=name | none | compiles the project; build scripts run
        cargo clippy | clap | --release -r -p=name --package=name --all --workspace --lib --bin=name --bins --tests --test=name --all-targets --features=text --all-features --no-default-features -q --quiet -v --verbose --offline --locked --no-deps --message-format=short|json|human --color=auto|always|never | none -- lints | checks the project; build scripts run
        cargo test | clap | --release -r -p=name --package=name --all --workspace --lib --bin=name --bins --tests --test=name --doc --example=name --examples --all-targets --features=text --all-features --no-default-features -q --quiet -v --verbose -j=count --jobs=count --offline --locked --frozen --no-fail-fast --color=auto|always|never --profile=name --exclude=name | item -- harness... | runs the project's tests
        cargo run | clap local | --release -r -q --quiet -v --verbose --offline --locked | none -- args... | builds and runs the project's program with what it was approved with
        cargo test --no-run | clap | --release -p=name --workspace -q -v | none | compiles the tests
        cargo fmt | clap | -p=name -q -v --quiet --verbose | none | formats the project's files; `--all` also those of packages elsewhere
        cargo fmt --all | clap | anywhere -q -v --quiet --verbose | none | formats the project's files, and those of packages it names by a path
        cargo fmt --check | clap | --all -p=name -q -v --quiet --verbose | none | checks the format
        cargo tree | clap local | -p=name --package=name -i=name --invert=name --depth=count -d --duplicates --all-features --no-default-features --features=text -e=text --edges=text --workspace --offline --locked | none | lists what is required
        cargo metadata | clap local | --no-deps --format-version=count --offline --locked | none | prints the manifest
        cargo bench, cargo doc | clap | --no-deps -p=name --workspace --all-features -q -v --release | none | builds benchmarks or documents
        go build, go vet | flag | -v -x -race -tags=name -p=count -a -trimpath -mod=readonly|vendor -buildvcs=true|false|auto | path... | compiles; -o, -toolexec and flags of the linker are not covered
        go test | flag | -v -run=text -race -count=count -short -timeout=text -failfast -parallel=count -p=count -bench=text -benchmem -benchtime=text -cover -tags=name -json -skip=text -shuffle=on|off -vet=off|all -cpu=count -mod=readonly|vendor -fullpath | path... | runs tests; -exec, -o and profiles are not covered
        go fmt | flag | -x | formatted... | formats files in the project
        go list | flag local | -json -deps -test -e -find -mod=readonly|vendor | path... | lists packages
        go list -m | flag local | -u -json -versions -mod=readonly|vendor | all| | lists modules; another name may be a host that is asked
        go env | flag local | -json -changed | name... | prints settings; -w would change them
        go doc | flag local | -all -short -src -u -c | name... | prints documents
        go mod graph, go mod why, go mod verify | flag local | -m | path... | explains what is required
        go version | flag local | -m -v | none | prints a version
        swift build | own | -c=debug|release --configuration=debug|release --product=name --target=name --build-tests -v --verbose -q --quiet -j=count --jobs=count --explicit-target-dependency-import-check=none|warn|error --skip-update --disable-automatic-resolution | none | compiles the package
        swift test | own | -c=debug|release --configuration=debug|release --filter=text --skip=text --parallel --no-parallel -v --verbose -q --quiet --skip-build --num-workers=count --enable-code-coverage --disable-xctest --enable-swift-testing --disable-swift-testing | none | runs the package's tests
        swift build --show-bin-path | own | -c=debug|release --configuration=debug|release | none | prints where the package is built; the manifest runs
        swift test list | own | -c=debug|release --configuration=debug|release --skip-build | none | builds the tests and lists them
        swift package describe, swift package show-dependencies, swift package dump-package | own local | --type=json|text --format=text|json|dot|flatlist | none | prints the manifest
        swift format lint, swift-format lint | own | -r --recursive --strict -s -p --parallel | path... | checks the format
        swift format -i, swift format --in-place, swift-format -i, swift-format --in-place | own | -r --recursive -p --parallel | path... | formats files in the project
        dotnet build, dotnet test | own local | --no-restore --no-build --nologo --no-incremental | place... | builds or tests the project; -p: and response files are not covered
        dotnet format --verify-no-changes | own local | --no-restore | none | checks the format; a `false` behind it would write
        dotnet --info, dotnet --list-sdks, dotnet --list-runtimes | own local | | none | says what is installed
        dotnet list package | own local | --outdated --deprecated --vulnerable --include-transitive | none | lists what is required
        rustup show, rustup toolchain list, rustup target list | clap local | | none | says what is installed
        """#

    private static let containers = #"""
        docker compose up | pflag local | -d --build --detach --wait --no-build --no-recreate --quiet-pull --no-deps | name... | starts the project's containers
        docker compose ps | pflag local | -a --all -q --quiet --services --format=table|json | name... | lists containers
        docker compose logs | pflag local | -f --follow --tail=count -n=count -t --timestamps --no-color --no-log-prefix --since=text --until=text | name... | prints what containers wrote
        docker compose build | pflag local | --no-cache -q --quiet --progress=auto|tty|plain|quiet | name... | builds the project's images
        docker compose stop, docker compose start, docker compose restart | pflag local | -t=count | name... | stops or starts the project's containers
        docker compose images, docker compose top, docker compose ls | pflag local | -a -q | name... | lists containers
        docker ps, docker container ls | pflag reads | -a --all -q --quiet -n=count -l -s --no-trunc --filter=text -f=text --format=text --size --latest --last=count | none | lists containers
        docker images, docker image ls | pflag reads | -a --all -q --quiet --no-trunc --filter=text -f=text --format=text --digests | name | lists images
        docker logs | pflag reads | -f --follow --tail=count -n=count -t --timestamps --since=text --until=text --details | name | prints what a container wrote
        docker version, docker info, docker context ls, docker network ls, docker volume ls, docker system df | pflag reads | | none | says what is there
        docker top, docker port, docker diff | pflag reads | | name | says what a container does
        docker stats --no-stream | pflag reads | -a --all --no-trunc --format=text | name... | prints the use of the machine
        kubectl get pods, kubectl get pod, kubectl get po, kubectl get services, kubectl get service, kubectl get svc, kubectl get deployments, kubectl get deployment, kubectl get deploy, kubectl get nodes, kubectl get node, kubectl get namespaces, kubectl get ns, kubectl get ingress, kubectl get ing, kubectl get jobs, kubectl get job, kubectl get cronjobs, kubectl get events, kubectl get pvc, kubectl get pv, kubectl get replicasets, kubectl get rs, kubectl get statefulsets, kubectl get sts, kubectl get daemonsets, kubectl get ds, kubectl get endpoints, kubectl get hpa, kubectl get all | pflag reads | -A --all-namespaces -n=name --namespace=name -o=json|yaml|wide|name --output=json|yaml|wide|name -l=text --selector=text --show-labels --no-headers --sort-by=text --field-selector=text | name... | lists resources; secrets and config maps are not covered
        kubectl describe pods, kubectl describe pod, kubectl describe services, kubectl describe service, kubectl describe svc, kubectl describe deployments, kubectl describe deployment, kubectl describe deploy, kubectl describe nodes, kubectl describe node | pflag reads | -A -n=name --namespace=name -l=text --selector=text | name... | describes resources
        kubectl logs | pflag reads | -f --follow --tail=count -n=name --namespace=name -c=name --container=name --since=text --timestamps -p --previous --all-containers -l=text --prefix | name | prints what a pod wrote
        kubectl top pods, kubectl top pod, kubectl top nodes, kubectl top node | pflag reads | -A -n=name --namespace=name --containers | name... | prints the use of the cluster
        kubectl cluster-info, kubectl version, kubectl config current-context, kubectl config get-contexts, kubectl api-resources | pflag reads | --client | none | says what cluster this is
        kubectl rollout status, kubectl rollout history | pflag reads | -n=name --namespace=name --timeout=text | name... | says how a rollout goes
        """#

    private static let services = #"""
        gh pr view | pflag reads | -c --comments --json=text -q=filter --jq=filter | name | shows a pull request
        gh pr list | pflag reads | -L=count --limit=count -s=open|closed|merged|all --state=open|closed|merged|all -A=name --author=name -B=name --base=name -H=name --head=name -l=text --label=text -S=text --search=text -a=name --assignee=name -d --draft --json=text -q=filter --jq=filter | none | lists pull requests
        gh pr diff | pflag reads | --name-only --patch --color=always|never|auto | name | shows a pull request
        gh pr checks | pflag reads | --json=text -q=filter --jq=filter --required --fail-fast | name | shows checks
        gh pr status | pflag reads | -c --conflict-status --json=text -q=filter --jq=filter | none | lists pull requests
        gh issue view | pflag reads | -c --comments --json=text -q=filter --jq=filter | name | shows an issue
        gh issue list | pflag reads | -L=count --limit=count -s=open|closed|all --state=open|closed|all -A=name --author=name -l=text --label=text -S=text --search=text -a=name --assignee=name -m=text --milestone=text --json=text -q=filter --jq=filter | none | lists issues
        gh issue status | pflag reads | --json=text -q=filter --jq=filter | none | lists issues
        gh run list | pflag reads | -L=count --limit=count -b=name --branch=name -w=name --workflow=name -s=name --status=name -u=name --user=name -e=name --event=name -c=name --commit=name --json=text -q=filter --jq=filter | none | lists runs
        gh run view | pflag reads | --log --log-failed -v --verbose -j=name --job=name -a=count --attempt=count --exit-status --json=text -q=filter --jq=filter | name | shows a run
        gh run watch | pflag reads | --exit-status -i=count --interval=count --compact | name | waits for a run
        gh repo view | pflag reads | -b=name --branch=name --json=text -q=filter --jq=filter | repository | shows a repository
        gh release list, gh workflow list, gh label list, gh cache list | pflag reads | -L=count --limit=count --json=text -q=filter --jq=filter | none | lists what is there
        gh release view, gh workflow view | pflag reads | --json=text -q=filter --jq=filter -y --yaml | name | shows what is there
        gh auth status | pflag reads | | none | says who is logged in
        systemctl status, systemctl is-active, systemctl is-enabled, systemctl is-failed | getopt_long reads | --no-pager -l --full -n=count --lines=count --user -q --quiet | name... | says how a service is
        systemctl list-units, systemctl list-timers, systemctl list-unit-files | getopt_long reads | --no-pager --all -a --type=name --state=name --user --failed | none | lists services
        """#
}
