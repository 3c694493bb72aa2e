import Agents
import Core
import Daemon
import Glibc
import Host
import Platform

/// The daemon in the foreground, as `cdev serve` runs it.
enum ForegroundDaemon {
    /// Runs the daemon until a signal stops it. Prints one line on standard output when it can be reached, and on
    /// standard error why it cannot start.
    /// - Returns: The exit status.
    static func run(_ options: ServeOptions, evaluator: any RuleEvaluator) -> Int32 {
        FreedMemory.bound()
        // The directory of whoever started it must not be kept from being unmounted, nor count where a path is resolved.
        chdir("/")
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return 1 }
        let (readEnd, writeEnd) = (ends[0], ends[1])
        Task.detached {
            var status = UInt8(clamping: await serve(options, evaluator))
            _ = write(writeEnd, &status, 1)
        }
        var status: UInt8 = 1
        while read(readEnd, &status, 1) < 0, errno == EINTR {}
        return Int32(status)
    }

    /// Checks if `config.json` can be read and the port is free; prints the reason on standard error if not. Makes and
    /// changes nothing.
    /// - Returns: The exit status.
    static func check(_ options: ServeOptions) -> Int32 {
        do throws(StartError) {
            try RunningDaemon.check(options)
            return 0
        } catch {
            say("cdev: \(error)", to: 2)
            return 1
        }
    }

    private static func serve(_ options: ServeOptions, _ evaluator: any RuleEvaluator) async -> Int32 {
        var parts = DaemonParts(
            evaluator: evaluator,
            claudeRules: ClaudeSettingsRules(
                userSettings: options.hooks?.settings ?? "", answersPromptly: DiskPaths.answersPromptly))
        parts.echoesLog = true
        // Claude's transcripts lie beside its settings.
        if let settings = options.hooks?.settings, let slash = settings.lastIndex(of: "/") {
            parts.transcripts = ClaudeTranscripts(directory: String(settings[..<slash]))
        }
        do throws(StartError) {
            // No file created from now on is readable by others.
            umask(0o077)
            let daemon = try await RunningDaemon.start(options, parts)
            let signals = await daemon.stopSignals
            say(daemon.readyLine, to: 1)
            for await _ in signals { break }
            await daemon.stop()
            return 0
        } catch {
            say("cdev: \(error)", to: 2)
            return 1
        }
    }

    private static func say(_ line: String, to descriptor: Int32) {
        let bytes = Array("\(line)\n".utf8)
        _ = write(descriptor, bytes, bytes.count)
    }
}
