import Agents
import Core
import OrderedJSON

extension Doctor {
    /// Looks for other agents that read Claude Code's settings too and run its hooks.
    func agents(isUp: Bool) -> [Finding] {
        let settings = (try? places.settings(invocation)) ?? ""
        let readers = SettingsReader.all(of: settings, environment: invocation.environment)
        let heard = isUp ? (try? places.client.call("hook/sessions"))?.list("bystanders") ?? [] : []
        return readers.map(Self.found) + heard.map(Self.heard)
    }

    private static func found(_ reader: SettingsReader) -> Finding {
        guard !reader.isOff else { return Finding(.fine, "\(reader.agent.name) is told not to run these hooks") }
        return Finding(
            .note, "\(reader.agent.name) is on this machine and reads these settings: \(meaning(of: reader.agent))",
            remedy: reader.remedy)
    }

    private static func meaning(of agent: Agent) -> String {
        switch agent {
        case .grok:
            "deny rules and --on-failure block hold there; a call is held where Grok itself asks nobody "
                + "(--always-approve), and denied where nobody answers"
        case .claude, .cursor:
            "cdev stays out of it: nothing is held there, and neither deny rules nor --on-failure hold"
        }
    }

    private static func heard(_ bystander: JSON) -> Finding {
        Finding(.note, "\(bystander.text("reason")); last heard of \(bystander.clock("last_seen"))")
    }
}
