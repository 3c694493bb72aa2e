/// The scripts as `cdev install` writes them.
enum HookScript {
    static func permission(_ bench: Bench, _ daemon: DaemonProcess) throws -> String {
        let environment = Launch.plainEnvironment.merging(
            ["HOME": daemon.home, "CLAUDE_CONFIG_DIR": daemon.home, "CDEV_HOME": daemon.home]
        ) { $1 }
        let install = Launch(
            bench.programs.cdev, ["install", "--settings", daemon.home + "/settings.json"], environment: environment)
        let run = try install.run()
        guard run.status == 0 else {
            throw BenchError("cdev install failed: \(String(decoding: run.output, as: UTF8.self))")
        }
        return daemon.home + "/hooks/permission.sh"
    }
}
