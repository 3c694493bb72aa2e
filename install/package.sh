#!/bin/sh
# Builds a Debian package and a tarball of cdev. `package.sh --help` says more.
# Everything is inside one function called on the last line, so that a file cut short does nothing.
package_cdev() {
    set -eu
    umask 022
    unset CDPATH

    usage() {
        cat <<'TEXT'
usage: install/package.sh [--output DIR]

Builds cdev as install.sh does, and makes of it

  cdev_VERSION_ARCHITECTURE.deb             for everybody on a machine: sudo apt install ./FILE
  cdev-VERSION-linux-ARCHITECTURE.tar.gz    for one user: unpack it and run its install.sh; no root, no Swift

  --output DIR  where they go; .build/packages unless told
  --help        print this
TEXT
    }
    say() { printf '%s\n' "$*"; }
    fail() {
        printf 'package.sh: %s\n' "$*" >&2
        exit 1
    }
    misuse() {
        printf 'package.sh: %s; see install/package.sh --help\n' "$*" >&2
        exit 2
    }

    read_options() {
        output=''
        while [ $# -gt 0 ]; do
            case $1 in
                --output)
                    [ -n "${2:-}" ] || misuse '--output needs a directory'
                    output=$2
                    shift
                    ;;
                --output=?*) output=${1#--output=} ;;
                --help | -h)
                    usage
                    exit 0
                    ;;
                *) misuse "unknown option $1" ;;
            esac
            shift
        done
    }

    build() {
        [ "$(uname -s)" = Linux ] || fail 'packages are made on Linux'
        command -v dpkg-deb >/dev/null || fail 'dpkg-deb is needed: packages are made on Debian'
        for product in cdev cdev-hook; do
            # The options of install.sh, so that both use one build.
            swift build -c release --package-path "$root" --product "$product" --static-swift-stdlib ||
                fail 'the build failed; its output is above'
        done
        built=$(swift build -c release --package-path "$root" --show-bin-path)
        version=$("$built/cdev" --version | sed 's/^cdev //')
        architecture=$(dpkg --print-architecture)
    }

    # The packages of the libraries that the command loads, and of libcurl, which it loads when it is needed.
    runtime_packages() {
        {
            # A library is listed by the path of its package or, where /lib leads to /usr/lib, by another.
            LC_ALL=C ldd "$built/cdev" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | while IFS= read -r library; do
                dpkg-query -S "$library" 2>/dev/null || dpkg-query -S "$(readlink -f "$library")" 2>/dev/null ||
                    dpkg-query -S "/usr$library" 2>/dev/null || fail "$library is of no Debian package"
            done | sed 's/:.*//'
            say libcurl4
        } | grep -v -x -e libc6 -e libgcc-s1 | sort -u
    }

    # The files that the package and the tarball have in common, below $1.
    lay_out() {
        install -D -m 755 "$built/cdev" "$1/bin/cdev"
        install -D -m 755 "$built/cdev-hook" "$1/bin/cdev-hook"
        install -D -m 644 "$root/LICENSE" "$1/share/doc/cdev/copyright"
        for page in README.md docs/*.md docs/scenes/*; do
            install -D -m 644 "$page" "$1/share/doc/cdev/$page"
        done
        lay_out_what_is_printed "$1"
    }

    # Completions and manual pages come from the command itself.
    lay_out_what_is_printed() {
        print "$1/share/bash-completion/completions/cdev" completion bash
        print "$1/share/zsh/vendor-completions/_cdev" completion zsh
        print "$1/share/fish/vendor_completions.d/cdev.fish" completion fish
        mkdir -p "$1/share/man/man1"
        env -i HOME="$work" PATH="$PATH" "$built/cdev" man --to "$1/share/man/man1" >/dev/null ||
            fail 'the manual pages could not be written'
        gzip -9n "$1/share/man/man1"/*
    }

    print() {
        file=$1
        shift
        mkdir -p "${file%/*}"
        # Whoever packs must not need a home for it.
        env -i HOME="$work" PATH="$PATH" "$built/cdev" "$@" >"$file" || fail "\`cdev $*\` printed nothing"
    }

    write_unit() {
        mkdir -p "${2%/*}"
        sed -e "s|\"@CDEV@\"|$1|" -e 's|@SERVE@|serve --install-hooks|' -e '/@ENVIRONMENT@/d' \
            -e '1,2s/^#.*/# The daemon as a systemd user service: `systemctl --user enable --now cdev` starts it, now and at each login./' \
            -e '2d' install/cdev.service >"$2"
    }

    make_deb() {
        tree=$work/deb
        lay_out "$tree/usr"
        write_unit /usr/bin/cdev "$tree/usr/lib/systemd/user/cdev.service"
        mkdir "$tree/DEBIAN"
        install -m 755 install/deb-postinst.sh "$tree/DEBIAN/postinst"
        install -m 755 install/deb-prerm.sh "$tree/DEBIAN/prerm"
        libc=$(getconf GNU_LIBC_VERSION)
        {
            say 'Package: cdev'
            say "Version: $version"
            say "Architecture: $architecture"
            say 'Maintainer: the authors of cdev <cdev@localhost>'
            say "Installed-Size: $(du -sk "$tree/usr" | cut -f 1)"
            say "Depends: libc6 (>= ${libc##* })$(runtime_packages | sed 's/^/, /' | tr -d '\n')"
            say 'Section: devel'
            say 'Priority: optional'
            say "Description: answer Claude Code's permission requests from a phone, a browser or a terminal"
            say ' One small daemon and two hook scripts. Nothing is allowed but by you or by a rule'
            say ' that you made; where the daemon does not run, Claude asks you as it always did.'
        } >"$tree/DEBIAN/control"
        deb=$output/cdev_${version}_$architecture.deb
        # Fast rather than small: it is built with each test of the installation.
        dpkg-deb --root-owner-group -Zgzip -z1 -b "$tree" "$deb" >/dev/null || fail "$deb could not be written"
        say "$deb"
    }

    make_tarball() {
        name=cdev-$version-linux-$(uname -m)
        tree=$work/$name
        lay_out "$tree"
        for file in install.sh uninstall.sh cdev.service; do
            install -m "$(if [ "${file##*.}" = sh ]; then echo 755; else echo 644; fi)" "install/$file" "$tree/$file"
        done
        runtime_packages >"$tree/packages"
        tarball=$output/$name.tar.gz
        tar -C "$work" --owner=0 --group=0 --numeric-owner --sort=name -cf - "$name" | gzip -1n >"$tarball.new" ||
            fail "$tarball could not be written"
        mv -f "$tarball.new" "$tarball"
        say "$tarball"
    }

    read_options "$@"
    case ${output:-/} in /*) ;; *) output=$PWD/$output ;; esac
    root=$(cd -- "$(dirname -- "$0")/.." && pwd -P)
    [ -f "$root/Package.swift" ] || fail "no Package.swift in $root: run this script from a checkout of cdev"
    cd -- "$root"
    output=${output:-$root/.build/packages}
    mkdir -p "$output" || fail "$output could not be made"
    build
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    make_deb
    make_tarball
}

package_cdev "$@"
