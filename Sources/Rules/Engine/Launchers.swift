/// Programs that run a command which stands among their operands, and programs that run none of theirs.
enum Launchers {
    /// The operands with which a command may begin that the program runs.
    /// - Parameter command: as `DeniedCommand.canonical` returns it.
    static func places(in command: ArraySlice<String>) -> [Int] {
        guard let name = command.first else { return [] }
        let operands = command.indices.dropFirst()
        if name == "find" {
            return Array(operands.filter { startsOfFind.contains(command[$0 - 1]) }.prefix(mostPlaces))
        }
        if direct.contains(name) { return Array(operands.prefix(mostPlaces)) }
        guard let front = behind[name] else { return [] }
        guard let start = operands.first(where: { front.contains(command[$0]) }) else {
            return runningFirst.contains(name) ? firstOperands(of: command) : []
        }
        return Array(operands.drop { $0 <= start }.prefix(mostPlaces))
    }

    /// The commands that a container runs whose program an option names: `docker run --entrypoint git x push`.
    static func entries(of command: [String]) -> [[String]] {
        guard containers.contains(command.first ?? ""),
            let place = command.firstIndex(where: { $0 == "--entrypoint" || $0.isOption("--entrypoint") })
        else { return [] }
        let isAttached = command[place] != "--entrypoint"
        let rest = command[place...].dropFirst(isAttached ? 1 : 2).prefix(mostWords)
        let name =
            isAttached
            ? String(decoding: command[place].utf8.dropFirst(13), as: UTF8.self)
            : command[place...].dropFirst().first ?? ""
        // Nobody knows which operand is the image.
        let starts = rest.indices.filter { rest[$0].utf8.first != UInt8(ascii: "-") }.prefix(mostPlaces)
        return [[name]] + starts.map { [name] + rest[$0...].dropFirst() }
    }

    private static let containers: Set<String> = ["docker", "docker-compose", "nerdctl", "podman", "podman-compose"]

    /// The first operand. A word behind an option may be its value, so that the next one counts, too.
    private static func firstOperands(of command: ArraySlice<String>) -> [Int] {
        var places: [Int] = []
        for place in command.indices.dropFirst() where command[place].utf8.first != UInt8(ascii: "-") {
            places.append(place)
            guard command[place - 1].utf8.first == UInt8(ascii: "-"), places.count < mostPlaces else { break }
        }
        return places
    }

    /// True for a program that hands texts to a shell, all of them or some.
    static func evaluates(_ word: String) -> Bool {
        let name = DeniedCommand.baseName(word)
        return evaluating.contains(name) || evaluatingByOption.contains(name)
    }

    /// True for a program that hands all its texts to a shell.
    static func evaluatesAll(_ word: String) -> Bool { evaluating.contains(DeniedCommand.baseName(word)) }

    /// The program of a package, an image or the like: `npm@10`, `nixpkgs#git`, `alpine/git:latest`, `ruff==1`. Nil for a
    /// plain name.
    static func program(ofPackage word: String) -> String? {
        let behind = word.utf8.lastIndex(of: UInt8(ascii: "#")).map { word.utf8[word.utf8.index(after: $0)...] }
        let name = behind ?? word.utf8[...]
        let version = name.dropFirst().firstIndex { "@:=<>~[".utf8.contains($0) } ?? name.endIndex
        let program = DeniedCommand.baseName(String(decoding: name[..<version], as: UTF8.self))
        return PathText.same(program, word) || program.isEmpty ? nil : program
    }

    private static let mostPlaces = 16
    /// The most words of a container's command that are looked at, each in as many ways as there are places.
    private static let mostWords = 200

    private static func set(_ text: String) -> Set<String> {
        Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
    }

    private static let startsOfFind: Set<String> = ["-exec", "-execdir", "-ok", "-okdir"]

    /// Programs of which each operand may begin a command.
    private static let direct = set(
        """
        . aa-exec abduco apply autossh bash bunx busybox bwrap ash capsh catchsegv chcon choom chpst chroot chronic chrt elvish \
        concurrently corepack cpulimit cronic cross-env csh daemon daemonize dash dbus-run-session ddtrace-run dotenv \
        dotenvx dtach dtruss dumb-init eatmydata entr env-cmd envchain envdir expect fakeroot faketime fdfind fd \
        firejail fish flock foreman forego forever gdb gnice gnohup gosu gstdbuf gtime gtimeout genv gxargs heaptrack \
        honcho hyperfine ifne k3s ksh lldb ltrace lxc-attach memusage minikube mksh mosh mpirun mpiexec multitime ncl nix-shell \
        nodemon npx nq nsenter nu numactl parallel pipesz pkexec pnpx prlimit proot proxychains proxychains4 pueue \
        pwsh rbash \
        reattach-to-user-namespace retry rlwrap rr run0 runcon runuser rush s6-setuidgid sandbox-exec schroot screen \
        script sem setpriv setuidgid sg sh singularity softlimit source srun ssh ssh-agent sshpass start-stop-daemon \
        start-server-and-test steam-run strace su su-exec sudo-rs summon systemd-inhibit systemd-nspawn systemd-run \
        taskset tcsh timelimit tini tmux torify torsocks toybox tsocks tsp uclampset unshare uvx valgrind \
        wait-for-it wait-for-it.sh wait-on watch watchexec wezterm winpty wsl xcrun xe xvfb-run zargs zsh \
        alpha arch arm arm64 aarch64 armh armv7b armv7l armv8b armv8l i386 i486 i586 i686 ia64 linux32 linux64 \
        loongarch64 mips mips32 mips64 parisc parisc32 parisc64 ppc ppc32 ppc64 ppc64le ppcle riscv32 riscv64 s390 \
        s390x setarch sparc sparc32 sparc32bash sparc64 uname26 x86_64
        """)

    /// Programs that run the command behind one of these words.
    private static let behind: [String: Set<String>] = [
        "apptainer": set("exec run shell"), "asdf": set("exec"), "aws-vault": set("exec"), "buildah": set("run"),
        "bun": set("exec run x"), "bundle": set("exec"), "cargo": set("-s -x watch"), "chamber": set("exec"),
        "conda": set("run"), "devbox": set("run shell"),
        "devenv": set("shell"), "direnv": set("exec"), "distrobox": set("enter ephemeral"),
        "docker": set("create exec run"), "docker-compose": set("exec run"), "doppler": set("run"),
        "flatpak": set("run"), "flatpak-spawn": set("--host --"), "fly": set("console"), "fnm": set("exec"),
        "foundry": set("run"), "gem": set("exec"), "git": set("--exec -x foreach run"), "goenv": set("exec"),
        "guix": set("environment shell time-machine"), "hatch": set("run"), "heroku": set("local:run run run:detached"),
        "incus": set("exec"), "infisical": set("run"), "ip": set("exec"), "jenv": set("exec"),
        "kubectl": set("debug exec run"), "lerna": set("exec"),
        "limactl": set("shell"), "lxc": set("exec"), "machinectl": set("shell"), "mamba": set("run"),
        "micromamba": set("run"), "mise": set("exec run x"),
        "multipass": set("exec"), "nerdctl": set("create exec run"), "nix": set("develop run shell"),
        "nodenv": set("exec"), "npm": set("exec"), "nvm": set("exec run"), "nx": set("exec"),
        "oc": set("debug exec rsh run"), "op": set("run"), "orb": set("run"), "pdm": set("run"),
        "perf": set("record stat trace"), "phpenv": set("exec"), "pipenv": set("run"), "pipx": set("run"),
        "pixi": set("exec run"), "plenv": set("exec"), "pm2": set("start"), "pnpm": set("dlx exec"),
        "podman": set("create exec run"), "podman-compose": set("exec run"), "poetry": set("run"),
        "proto": set("run"), "pyenv": set("exec"), "railway": set("run"), "rbenv": set("exec"), "rtx": set("exec x"),
        "rustup": set("run"), "rye": set("run"), "snap": set("run"), "sops": set("exec-env exec-file"),
        "teller": set("run"), "toolbox": set("run"), "tox": set("-- exec"), "uv": set("run"),
        "vagrant": set("ssh"), "vercel": set("exec"), "volta": set("run"), "yarn": set("dlx exec"),
        "zellij": set("run"),
    ]

    /// Programs of these that take the name of a program for a subcommand, too.
    private static let runningFirst: Set<String> = ["bun", "pnpm", "yarn"]

    /// Programs that hand texts to a shell.
    private static let evaluating = set(
        """
        ash autossh bash concurrently csh dash distrobox doppler elvish entr env eval fdfind fd fish flock hyperfine ion ksh \
        loksh mksh mosh murex nix-shell nodemon npm-run-all nu oksh osh parallel posh pwsh rbash runuser screen script sem \
        sg sh ssh start-server-and-test su tcsh tmux trap watch watchexec xonsh yash ysh zsh
        """)

    /// Programs that hand the text behind one of these options to a shell.
    private static let evaluatingByOption = set(
        """
        ansible bind capsh cargo compgen complete conda fly git mapfile mise mpirun nix npm npx op pnpm pnpx readarray rtx \
        sops vagrant yarn
        """)
    static let startsOfText = set(
        """
        --call --command --env-filter --exec --extcmd --index-filter --msg-filter --parent-filter --run --shell \
        --tag-name-filter --tree-filter -C -a -c -e -s -x foreach run exec-env
        """)

    /// Programs that take names and texts, and run none of them.
    static func takesText(_ name: String) -> Bool { takingText.contains(name) }

    private static let takingText = set(
        """
        : [ [[ ack ag alias apk apropos apt apt-cache apt-get awk base64 basename bat bg brew builtin cal case cat cd \
        chgrp chmod chown cksum clear cmp code comm command cp curl cut date dd declare df diff dig dirname dirs dnf \
        dpkg du echo egrep emacs export expr false fg fgrep file float fmt fold for function gh git glab gofmt grep \
        groups gunzip gzip hash head help hg history host id info install integer jq kill killall la less let ll ln \
        local locate logger ls lsof make man md5sum mkdir mktemp more mv nano ninja nl node notify-send nvim od open \
        paste pacman patch pgrep pidof ping pip pip3 pkill popd print printenv printf ps pushd pwd read readlink \
        readonly realpath rev rg rm rmdir rsync say scp sed select seq set sha1sum sha256sum shasum shellcheck shfmt \
        shift sleep sort sponge stat strings tail tar tee test tldr touch tr tree true type typeset uname uniq unset \
        unzip vi vim wc wget whatis whereis which which-command xdg-open xxd yes yq yum zip
        """)
}
