package import Core
import Glibc
import Host
import Platform
import Transport

/// `cdev serve`: the daemon in the foreground.
package enum Serve {
    /// Blocks until a signal stops it. Prints one line on standard output when it can be reached; what keeps it from
    /// starting goes to standard error.
    /// - Returns: The exit status.
    package static func run(_ options: ServeOptions, judge: any RuleJudge) -> Int32 {
        FreedMemory.bound()
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return 1 }
        let (readEnd, writeEnd) = (ends[0], ends[1])
        Task.detached {
            var status = UInt8(clamping: await serve(options, judge))
            _ = write(writeEnd, &status, 1)
        }
        var status: UInt8 = 1
        while read(readEnd, &status, 1) < 0, errno == EINTR {}
        return Int32(status)
    }

    /// `cdev serve --check`: whether `config.json` can be read and the port is free, said on standard error if not.
    /// Nothing is made or changed.
    /// - Returns: The exit status.
    package static func check(_ options: ServeOptions) -> Int32 {
        do throws(StartError) {
            let configuration: Configuration
            do throws(ConfigurationError) {
                configuration = try options.applied(
                    to: ConfigurationReader(path: options.configurationPath).configuration)
            } catch {
                throw .configuration(error)
            }
            do throws(ListenError) {
                try TCPListeners(host: configuration.host, port: configuration.port).close()
            } catch {
                throw .listen(error)
            }
            return 0
        } catch {
            say("cdev: \(error)", to: 2)
            return 1
        }
    }

    private static func serve(_ options: ServeOptions, _ judge: any RuleJudge) async -> Int32 {
        var parts = DaemonParts(
            judge: judge, claudeRules: ClaudeSettingsRules(userSettings: options.hooks?.settings ?? ""))
        parts.echoesLog = true
        do throws(StartError) {
            // Nothing that is made from here on is for others to read.
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

extension RunningDaemon {
    /// The signals that end the daemon; from here on the process gets them instead of being killed. Not SIGHUP: who
    /// started it with `nohup` wants it to live on.
    fileprivate var stopSignals: AsyncStream<Int32> {
        get async { await loop.signals([SIGINT, SIGTERM]) }
    }
}
