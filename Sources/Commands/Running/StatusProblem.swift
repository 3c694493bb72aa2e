import Core
import OrderedJSON

/// The first thing that is wrong by the daemon's own state, and its remedy.
struct StatusProblem {
    let message: String
    let remedy: String

    /// `nil` if nothing is wrong. The gravest comes first: decisions that are lost, then calls that do not arrive, then
    /// people who are not reached.
    static func first(_ status: JSON) -> StatusProblem? {
        store(status) ?? denies(status) ?? socket(status) ?? hooks(status) ?? tls(status) ?? notify(status)
            ?? version(status)
    }

    private static func store(_ status: JSON) -> StatusProblem? {
        let failure = status.text("store_failure")
        return failure.isEmpty
            ? nil
            : StatusProblem(
                message: "decisions cannot be written: \(failure.shown(300))",
                remedy: "free space beside \(status.text("log").shown(200)); until then no allow is given")
    }

    private static func denies(_ status: JSON) -> StatusProblem? {
        guard let count = status["denies_ignored"]?.intValue, count > 0 else { return nil }
        return StatusProblem(
            message: "\(count) denied calls ran all the same", remedy: "`cdev log` names them; end that agent")
    }

    private static func socket(_ status: JSON) -> StatusProblem? {
        let problem = status.text("socket_problem")
        return problem.isEmpty
            ? nil : StatusProblem(message: "the socket: \(problem.shown(300))", remedy: "move away what stands there")
    }

    private static func hooks(_ status: JSON) -> StatusProblem? {
        let means = [
            "not-installed": "the hooks are not installed, so no call reaches cdev",
            "outdated": "the hooks are not as this version installs them",
            "unreadable": "Claude Code's settings cannot be read",
        ]
        if let meaning = means[status["hooks"]?.text("state") ?? ""] {
            return StatusProblem(message: meaning, remedy: "cdev install")
        }
        return status["hooks"]?.list("problems").first.map {
            StatusProblem(message: $0.text("problem").shown(300), remedy: $0.text("remedy").shown(300))
        }
    }

    private static func tls(_ status: JSON) -> StatusProblem? {
        let problem = status["tls"]?.text("problem") ?? ""
        return problem.isEmpty
            ? nil : StatusProblem(message: "tls: \(problem.shown(300))", remedy: "`cdev doctor` says more")
    }

    private static func notify(_ status: JSON) -> StatusProblem? {
        for channel in status.list("notify") {
            let name = channel.text("channel").shown(60)
            if !channel.text("failure").isEmpty {
                return StatusProblem(
                    message: "notifications by \(name) fail: \(channel.text("failure").shown(200))",
                    remedy: "put it right, then `cdev doctor --notify`")
            }
            if !channel.text("obstacle").isEmpty {
                return StatusProblem(
                    message: "what \(name) sends cannot be answered: \(channel.text("obstacle").shown(200))",
                    remedy: "set public_url: `cdev config set public_url https://…`")
            }
        }
        return nil
    }

    private static func version(_ status: JSON) -> StatusProblem? {
        let version = status.text("version")
        return version == Version.text
            ? nil
            : StatusProblem(
                message: "the daemon is version \(version.shown(40)), this command is \(Version.text)",
                remedy: "cdev restart")
    }

    var json: JSON { ["message": .string(message), "remedy": .string(remedy)] }
}
