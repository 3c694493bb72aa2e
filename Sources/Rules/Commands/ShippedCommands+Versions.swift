/// Rows for commands that print a version, and for scripts.
///
/// A row for a version is not marked `reads` if a file of the tree can decide which program starts: a wrapper, a
/// toolchain file, `packageManager`.
extension ShippedCommands {
    static let versions = #"""
        node --version, node -v, npm --version, npm -v, bun --version, bun -v, deno --version | own reads | | none | prints a version
        pnpm --version, pnpm -v, yarn --version, yarn -v, tsc --version, tsc -v, eslint --version, jest --version, vitest --version, prettier --version | own local | | none | prints a version; files of the project may say which one starts
        python3 --version, python --version, python3 -V, python -V, pip --version, pip3 --version, mypy --version, ruff --version, black --version | own reads | | none | prints a version
        uv --version, poetry --version, pytest --version | own local | | none | prints a version; settings and plugins of the project are loaded
        ruby --version, ruby -v, gem --version, php --version, php -v, perl --version, perl -v, java -version, java --version, javac -version, javac --version, kotlinc -version, erl -version, ghc --version, lua -v | own reads | | none | prints a version
        elixir --version, bundle --version, mvn --version, mvn -v, gradle --version, gradle -v, scala -version, ./mvnw --version, ./mvnw -v, ./gradlew --version, ./gradlew -v | own local | | none | prints a version; files of the project may say which one starts
        git --version, gh --version, make --version, cmake --version, ninja --version, gcc --version, g++ --version, clang --version, cc --version, ld --version, docker --version, kubectl --version, helm version, bash --version, zsh --version, jq --version, rg --version, sqlite3 --version, psql --version, openssl version, curl --version, ssh -V | own reads | | none | prints a version
        docker compose version, terraform --version, terraform version | own local | | none | prints a version; settings of the project are loaded
        swift --version, swiftc --version, zig version, xcodebuild -version, sw_vers -productVersion | own reads | | none | prints a version
        cargo --version, cargo -V, rustc --version, rustc -V, rustup --version, dotnet --version | own local | | none | prints a version; files of the project may say which one starts
        """#

    static let scripts = #"""
        python3 FILE, python FILE, node FILE, ruby FILE, bash FILE, sh FILE | own local | all | args... | runs a file in the project with what it was approved with; what it starts in turn, the directory may say
        ./FILE | own local | all | args... | runs a file in the project with what it was approved with; what it starts in turn, the directory may say
        go run DIR | own local | all | args... | builds and runs a program in the project with what it was approved with
        """#
}
