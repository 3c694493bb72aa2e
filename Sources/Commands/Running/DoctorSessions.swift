import Agents
import Glibc
import Host
import OrderedJSON

extension Doctor {
    /// Finds Claude processes that have sent no hook. Claude Code reads its settings at its start; only versions since
    /// 2.1 notice a change while they run.
    func sessions(isUp: Bool) -> [Finding] {
        guard isUp, access(InstallScripts.directory(in: places.home) + "/forward.sh", X_OK) == 0 else { return [] }
        guard let known = try? places.client.call("hook/sessions") else { return [] }
        let heard = Set(known.list("sessions").compactMap { $0["claude_pid"]?.intValue.map(Int32.init(clamping:)) })
        return ProcessTable { _, _ in nil }.processes(named: "claude").filter { !heard.contains($0) }.map(Self.silent)
    }

    private static func silent(_ pid: Int32) -> Finding {
        Finding(
            .note, "Claude Code with pid \(pid) runs and has told nothing yet",
            remedy: "if its next call does not show in `cdev sessions` either, it was started before the hooks were "
                + "there or runs with other settings: restart it")
    }
}
