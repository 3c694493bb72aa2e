import Agents

/// A script that says what was written into it.
let templates = InstallScripts.Templates(
    permission:
        "#!/bin/sh\nrelay=cdev-hook\nsocket=\non_failure=continue\nprintf '%s|%s|%s' \"$relay\" \"$socket\" \"$on_failure\"\n",
    forward: "#!/bin/sh\n# relay=x is no value\nrelay=cdev-hook\nsocket=\nprintf '%s|%s' \"$relay\" \"$socket\"\n")

extension SettingsInstaller {
    @discardableResult
    func install(
        relay: String = "/bin/true", onFailure: InstallOnFailure? = nil, dryRun: Bool = false
    ) throws(InstallError) -> Report {
        try install(
            templates: templates, relay: relay, socket: home + "/cdev.sock", onFailure: onFailure, dryRun: dryRun)
    }

    func installIfWanted() throws(InstallError) -> Report? {
        try installIfWanted(templates: templates, relay: "/bin/true", socket: home + "/cdev.sock")
    }

    func status(
        relay: String = "/bin/true", managed: String = "/nonexistent", projects: [String] = []
    ) throws(InstallError) -> SettingsStatus {
        try status(
            templates: templates, relay: relay, socket: home + "/cdev.sock", managed: managed, projects: projects)
    }
}
