/// A git repository with many files, a hundred in each directory, of which ten are changed and ten are new.
struct LargeRepository {
    let path: String
    let git: String

    init(_ bench: Bench, files: Int) throws {
        git = try Programs.need("git", from: "git")
        path = try bench.makeDirectory("r")
        let script = """
            cd "$1" && git init -q && git config user.email a@b.example && git config user.name bench
            i=0; while [ $i -lt $(($2 / 100)) ]; do
                mkdir d$i; j=0; while [ $j -lt 100 ]; do echo $i $j >d$i/f$j; j=$((j + 1)); done; i=$((i + 1))
            done
            git add . && git commit -qm all && git status >status.txt && rm status.txt
            i=0; while [ $i -lt 10 ]; do echo changed >d$i/f$i; echo new >d$i/new; i=$((i + 1)); done
            """
        var launch = Launch("/bin/sh", ["-c", script, "sh", path, "\(files)"])
        launch.environment["HOME"] = path
        guard try launch.run().status == 0 else { throw BenchError("the repository could not be made") }
    }

    /// What a terminal's git takes for the status.
    func status() throws -> Nanoseconds {
        var launch = Launch(git, ["-C", path, "--no-optional-locks", "status", "--porcelain=v2", "-z"])
        launch.environment["HOME"] = path
        let run = try launch.run()
        guard run.status == 0, !run.output.isEmpty else { throw BenchError("git status failed") }
        return run.time
    }
}
