import OrderedJSON

/// Collects the problems of the hooks, each with a remedy.
struct SettingsCheck {
    let path: String
    let target: InstallTarget
    private(set) var isReadable = true
    private(set) var missing: [String] = []
    private(set) var outdated: [String] = []
    private(set) var problems: [SettingsStatus.Problem] = []

    init(path: String, target: InstallTarget) {
        self.path = path
        self.target = target
    }

    var state: SettingsStatus.State {
        if !isReadable { return .unreadable }
        if missing.count == InstallHook.all.count && outdated.isEmpty { return .notInstalled }
        return missing.isEmpty && outdated.isEmpty ? .installed : .outdated
    }

    var hasEntries: Bool {
        [.installed, .outdated].contains(state)
    }

    mutating func readSettings() {
        do throws(InstallError) {
            try read(try InstallFiles.read(path)?.bytes)
        } catch {
            isReadable = false
            report(
                "\(error)",
                "as long as it is so, Claude Code ignores the whole file: correct it, then run `cdev install`")
        }
    }

    private mutating func read(_ text: [UInt8]?) throws(InstallError) {
        do throws(SettingsError) {
            let document = try SettingsEditor(text, notes: nil).document
            let shape = try SettingsShape(of: document)
            for hook in InstallHook.all { compare(hook, shape.groups(of: hook.event) ?? []) }
            let wanted = Set(InstallHook.all.map(\.event))
            outdated += shape.events.filter { !wanted.contains($0.name) && $0.groups.contains { !$0.ours.isEmpty } }
                .map(\.name)
            outdated.sort()
            look(atForeign: shape)
            look(atSwitches: document.value(at: []) ?? .null)
        } catch {
            throw .refused(path: path, error)
        }
    }

    /// Compares our entry with the wanted one, without the marker: Claude Code removes it, and nothing depends on it.
    private mutating func compare(_ hook: InstallHook, _ groups: [SettingsShape.Group]) {
        let ours = groups.flatMap { group in group.ours.map { (group, group.entries[$0]) } }
        guard let (group, entry) = ours.first else { return missing.append(hook.event) }
        let matcher = group.value["matcher"]?.stringValue ?? ""
        let isCurrent =
            ours.count == 1 && entry.isEquivalent(to: target.entry(of: hook)) && ["", "*"].contains(matcher)
        if !isCurrent { outdated.append(hook.event) }
    }

    private mutating func look(atSwitches settings: JSON) {
        guard settings["disableAllHooks"] == true else { return }
        report(
            "\(path) has \"disableAllHooks\": true, so Claude Code runs no hook at all",
            "remove disableAllHooks from it")
    }

    mutating func look(atManaged managed: String) {
        guard let settings = try? InstallFiles.read(managed).map({ try JSON(parsing: $0.bytes) }) else { return }
        for name in ["allowManagedHooksOnly", "disableAllHooks"] where settings[name] == true {
            report(
                "\(managed) has \"\(name)\": true, so Claude Code does not run a user's hooks",
                "only the administrator of this machine can change that")
        }
    }

    mutating func look(atProject project: String) {
        guard let settings = try? InstallFiles.read(project).map({ try JSON(parsing: $0.bytes) }) else { return }
        guard settings["disableAllHooks"] == true else { return }
        report(
            "\(project) has \"disableAllHooks\": true, so no hook runs in this project",
            "remove it there; cdev cannot overrule a project's settings")
    }

    mutating func look(at scripts: InstallScripts, in home: String, relay: String) throws(InstallError) {
        for path in try scripts.outdated(in: home) {
            report("\(path) is missing or not as this version writes it", "run `cdev install`")
        }
        guard !InstallFiles.isExecutable(relay) else { return }
        report("the relay \(relay) is missing or cannot be run", "install cdev again, then run `cdev install`")
    }

    mutating func report(_ message: String, _ remedy: String) {
        problems.append(SettingsStatus.Problem(message: message, remedy: remedy))
    }
}
