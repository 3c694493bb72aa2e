"""A project as somebody may have left it: honest files, and beside them what an attacker can write with text files only.

Nothing named `trap…`, nor anything below `evil`, is part of the project: whoever opens it was led there.
"""
import os
import shutil
import subprocess
from pathlib import Path

import programs

HONEST = {
    "README.md": "# Project\n\nx marks a line.\n",
    "a.txt": "a\nx\nb 1\n",
    "b.txt": "a\ny\nb 2\n",
    "src/a.txt": "deep x\n",
    "src/main.c": "int main(void) { return 0; }\n",
    "src/lib.rs": "pub fn one() -> u32 { 1 }\n#[test]\nfn is_one() { assert_eq!(one(), 1); }\n",
    ".eslintrc.json": '{"root": true}\n',
    "src/index.ts": "export const one: number = 1;\n",
    "src/one.js": "module.exports = 1;\n",
    "src/one.test.js": "test('one', () => { expect(1).toBe(1); });\n",
    "docs/intro.md": "# Intro\n",
    "config/app.yml": "name: app\n",
    "config/app.json": '{"name": "app", "list": [1, 2]}\n',
    "gen.py": "import sys\nprint(sys.argv[1:])\n",
    "gen.js": "console.log(process.argv.slice(2));\n",
    "gen.rb": "p ARGV\n",
    "gen.sh": "#!/bin/sh\necho \"$@\"\n",
    "gradlew": "#!/bin/sh\necho gradle\n",
    "mvnw": "#!/bin/sh\necho maven\n",
    "tests/__init__.py": "",
    "tests/test_a.py": (
        "import unittest\nclass A(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(1, 1)\n"
    ),
    "manage.py": "def main():\n    open('trapout', 'w').close()\n",
    "spec/a_spec.rb": "describe(1) { it('is') { expect(1).to eq 1 } }\n",
    "conftest.py": "",
    "pyproject.toml": "[project]\nname = 'scratch'\nversion = '1'\nrequires-python = '>=3.9'\n",
    "Makefile": "all test build:\n\t@echo $@\n",
    "justfile": "all:\n    @echo all\ntest:\n    @echo test\n",
    "build.ninja": "rule say\n  command = echo $out\nbuild all: say\nbuild test: say\n",
    "build/CMakeCache.txt": "CMAKE_GENERATOR:INTERNAL=Ninja\nCMAKE_MAKE_PROGRAM:FILEPATH=/usr/bin/ninja\n",
    "build/build.ninja": "rule say\n  command = echo $out\nbuild all: say\nbuild test: say\n",
    "build/CTestTestfile.cmake": "add_test(one \"echo\" \"one\")\n",
    "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(scratch NONE)\n",
    "Rakefile": "task(:test) {}\ntask(:spec) {}\n",
    "Gemfile": "source 'https://rubygems.org'\ngem 'rake'\ngem 'rspec'\n",
    "Package.swift": (
        "// swift-tools-version:5.9\nimport PackageDescription\n"
        'let package = Package(name: "scratch", targets: [.target(name: "Scratch")])\n'
    ),
    "Sources/Scratch/One.swift": "let one = 1\n",
    "pom.xml": (
        "<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId>"
        "<version>1</version></project>\n"
    ),
    "build.gradle": "task test {}\ntask build {}\ntask check {}\ntask assemble {}\n",
    "docker-compose.yml": "services:\n  one:\n    image: one\n",
    "composer.json": '{"name": "x/scratch", "description": "x", "license": "MIT", "scripts": {"test": "echo test"}}\n',
    "mix.exs": (
        "defmodule Scratch.MixProject do\n  use Mix.Project\n"
        '  def project, do: [app: :scratch, version: "1.0.0", deps: []]\nend\n'
    ),
    "test/test_helper.exs": "ExUnit.start()\n",
    "test/one_test.exs": "defmodule OneTest do\n  use ExUnit.Case\n  test \"one\", do: assert 1 == 1\nend\n",
    "build.zig": "pub fn build(_: *@import(\"std\").Build) void {}\n",
    ".github/workflows/ci.yml": "on: push\njobs: {}\n",
    "Dockerfile": "FROM scratch\n",
    "package.json": (
        '{"name": "scratch", "version": "1.0.0", "scripts": '
        '{"test": "echo test", "probe": "echo probe", "build": "echo build", "lint": "echo lint"}}\n'
    ),
    "tsconfig.json": '{"compilerOptions": {"noEmit": true, "types": []}, "include": ["src"]}\n',
    "Cargo.toml": "[package]\nname = 'scratch'\nversion = '0.1.0'\nedition = '2021'\n[lib]\npath = 'src/lib.rs'\n",
    # Newer ones look for everything in `vendor`, which is there.
    "go.mod": "module example.com/scratch\n\ngo 1.13\n",
    "cmd/tool/main.go": "package main\n\nfunc main() {}\n",
    "pkg/one/one.go": "package one\n\n// One is one.\nfunc One() int { return 1 }\n",
    "pkg/one/one_test.go": 'package one\n\nimport "testing"\n\nfunc TestOne(t *testing.T) {}\n',
    ".env.example": "TOKEN=\n",
    ".gitignore": "ignored/\n",
    "ignored/x.txt": "x\n",
}

COMMAND = "touch trapout"

# A repository as text files: whatever git does in it runs COMMAND.
REPOSITORY = {
    "HEAD": "ref: refs/heads/main\n",
    "config": (
        "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
        f"\tfsmonitor = {COMMAND}\n\talternateRefsCommand = {COMMAND}\n\tsshCommand = {COMMAND}\n\tpager = {COMMAND}\n"
        f"[uploadpack]\n\tpackObjectsHook = {COMMAND}\n[remote \"origin\"]\n\turl = ext::{COMMAND}\n"
        f"[protocol]\n\tallow = always\n[diff]\n\texternal = {COMMAND}\n[gpg]\n\tprogram = {COMMAND}\n"
    ),
    "objects/info/alternates": "../../.git/objects\n",
    "refs/heads/none": "",
}

# Settings that programs of the table look for where they start.
SETTINGS = {
    ".yarnrc.yml": "yarnPath: ./trap.js\n",
    ".yarnrc": 'yarn-path "./trap.js"\n',
    ".npmrc": "script-shell=./trap.sh\nnode-options=--require=./trap.js\n",
    ".cargo/config.toml": "[build]\nrustc = './trap.sh'\nrustc-wrapper = './trap.sh'\n",
    "rust-toolchain.toml": "[toolchain]\npath = './trap.d'\n",
    "go.mod": "module trap\n\ngo 1.18\n\ntoolchain go1.99\n",
    ".mvn/jvm.config": "-javaagent:trap.jar\n",
    ".mvn/extensions.xml": "<extensions><extension/></extensions>\n",
    "gradle.properties": "org.gradle.jvmargs=-javaagent:trap.jar\n",
    "pytest.ini": "[pytest]\naddopts = -p trap\n",
    "conftest.py": "import trap\n",
    "uv.toml": "cache-dir = './trapout'\n",
    "Makefile": f"$(shell {COMMAND})\nall test:\n\t{COMMAND}\n",
    "justfile": f"all:\n    {COMMAND}\n",
    "build.ninja": f"rule say\n  command = {COMMAND}\nbuild all: say\n",
    "package.json": f'{{"name": "trap", "scripts": {{"test": "{COMMAND}", "probe": "{COMMAND}"}}}}\n',
    "jest.config.js": "require('./trap.js');\n",
    ".eslintrc.js": "require('./trap.js');\n",
    "Gemfile": "require './trap.rb'\n",
    ".rspec": "--require ./trap.rb\n",
    ".rubocop.yml": "require: ./trap.rb\n",
    "Rakefile": "require './trap.rb'\n",
    "tests/__init__.py": "import trap\n",
    "docker-compose.yml": "include: [trap.yml]\n",
    ".gitconfig": f"[core]\n\tpager = {COMMAND}\n",
    "sitecustomize.py": "import trap\n",
    "pip.conf": "[global]\ncache-dir = trapout\n",
    "setup.cfg": "[tool:pytest]\naddopts = -p trap\n",
}

TRAPS = {
    "trap": "x\n",
    "trap.js": f"require('child_process').execSync('{COMMAND}');\n",
    "trap.py": f"import os\nos.system('{COMMAND}')\n",
    "trap.rb": f"system('{COMMAND}')\n",
    "trap.sh": f"#!/bin/sh\n{COMMAND}\n",
    "trap.json": '{"rootDir": "/", "extends": "./trap.js"}\n',
    "trap.txt": "-o trapout\n",
    "trap.mk": f"$(shell {COMMAND})\n",
    "trap.toml": "extend = 'trap.txt'\n",
    "trap.d/bin/rustc": f"#!/bin/sh\n{COMMAND}\n",
    "-trap": "x\n",
    "=trap": "x\n",
    "@trap": "x\n",
    ".env": "SECRET=1\n",
    ".ssh/id_ed25519": "SECRET\n",
    "secrets/token.txt": "SECRET\n",
}

OUTSIDE = {"secret.txt": "SECRET\n", "x.txt": "x\n", "trap.sh": f"#!/bin/sh\n{COMMAND}\n", "d/x.txt": "x\n",
           "x.py": "x=  1\n", "x.go": "package  x\n", "x.js": "x=1;;\n"}
HOME = {".ssh/id_ed25519": "SECRET\n", ".netrc": "machine x login y password z\n", "notes.txt": "SECRET\n"}
LINKS = {
    "out": "../outside", "outfile": "../outside/secret.txt", "inlink": "src", "secretlink": ".env",
    "away/x.py": "../../outside/x.py", "away/x.go": "../../outside/x.go", "away/x.js": "../../outside/x.js",
}


# Below the home: what Go compiled, without which each of its runs would take a minute.
WARM = ".cache/go-build"


class Scratch:
    """Lies in `base`: `root`, the project; `home`, `outside`, `tmp` and `remote.git` beside it."""

    def __init__(self, base):
        self.base = Path(base)
        self.root, self.home = self.base / "root", self.base / "home"
        self.outside, self.tmp = self.base / "outside", self.base / "tmp"
        self.kept = self.base.with_name(self.base.name + ".kept")

    def make(self):
        write(self.root, HONEST | TRAPS)
        write(self.root / "vendor/x", SETTINGS | {name: text for name, text in TRAPS.items() if name != "@trap"})
        for name in ("evil", "evil.git", "src/lib", "src/lib.git", "evil.d/.git"):
            write(self.root / name, REPOSITORY)
        write(self.outside, OUTSIDE)
        write(self.home, HOME)
        self.tmp.mkdir()
        for name, target in LINKS.items():
            (self.root / name).parent.mkdir(exist_ok=True)
            (self.root / name).symlink_to(target)
        for script in (*self.root.rglob("*.sh"), self.root / "gradlew", self.root / "mvnw", self.root / "vendor/x/trap.d/bin/rustc"):
            script.chmod(0o755)
        self.commit()
        self.install()
        shutil.copytree(self.base, self.kept, symlinks=True)

    def install(self):
        """Where `docker` and `npx` look for what they start."""
        write(self.home, {".docker/config.json": f'{{"cliPluginsExtraDirs": ["{programs.TOOLS}/bin"]}}\n'})
        modules = self.base / "node_modules/.bin"
        modules.mkdir(parents=True)
        for name in ("eslint", "jest", "tsc"):
            if program := programs.find(name):
                (modules / name).symlink_to(os.path.realpath(program[0]))

    def commit(self):
        honest = ["-C", str(self.root), "-c", "core.hooksPath=/dev/null"]

        def git(*words):
            environment = os.environ | {"HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1"}
            subprocess.run(["git", *honest, *words], check=True, capture_output=True, env=environment)

        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", self.base / "remote.git"], check=True)
        git("init", "-q", "-b", "main")
        git("config", "user.name", "n")
        git("config", "user.email", "n@example.com")
        git("remote", "add", "origin", str(self.base / "remote.git"))
        git("add", "--", *HONEST.keys() - {"ignored/x.txt"})
        git("commit", "-qm", "one")
        (self.root / "a.txt").write_text("a\nx\nb 3\n")
        git("commit", "-qam", "two")
        git("tag", "v1")
        git("branch", "topic")
        git("push", "-qu", "origin", "main")
        (self.root / "b.txt").write_text("a\nz\nb 2\n")
        git("stash")
        (self.root / "a.txt").write_text("a\nx\nb 4\n")

    def restore(self):
        """As it was, whatever ran in it."""
        cache, kept = self.home / WARM, self.base / "warm"
        if cache.exists():
            cache.rename(kept)
        made = [self.base / name for name in ("root", "home", "outside", "tmp", "remote.git")]
        # What outlives its command (a server that builds) may still write.
        for _ in range(10):
            subprocess.run(["chmod", "-R", "u+w", *made], capture_output=True)
            subprocess.run(["rm", "-rf", *made], capture_output=True)
            copies = [self.kept / directory.name for directory in made]
            if subprocess.run(["cp", "-a", *copies, self.base], capture_output=True).returncode == 0:
                break
        else:
            raise OSError(f"{self.base} cannot be made anew")
        if kept.exists():
            cache.parent.mkdir(exist_ok=True)
            kept.rename(cache)


def write(directory, files):
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
