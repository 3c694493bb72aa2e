/// The files of git's settings that variables name, which git reads in place of the user's usual files.
package enum GitVariables {
    /// - Parameter environment: That of a process, such as the daemon's. Empty values count as unset.
    package static func files(environment: [String: String]) -> [String] {
        let directory = value("XDG_CONFIG_HOME", environment).map { $0 + "/git/config" }
        let files = [directory, value("GIT_CONFIG_GLOBAL", environment), value("GIT_CONFIG_SYSTEM", environment)]
        return files.compactMap(\.self)
    }

    /// `/dev/null` stands for no file.
    private static func value(_ name: String, _ environment: [String: String]) -> String? {
        environment[name].flatMap { $0.isEmpty || $0 == "/dev/null" ? nil : $0 }
    }
}

extension RuleContext {
    /// The files of the system's and the user's own settings of git. Which of them git reads depends on the variables of each
    /// process, so all count.
    var gitFiles: [String] { usualGitFiles + furtherGitFiles }

    private var usualGitFiles: [String] { ["/etc/gitconfig", home + "/.config/git/config", home + "/.gitconfig"] }

    /// Those among them that only variables name.
    var furtherGitFiles: [String] {
        ownGitFiles.map { PathText.normalize($0, from: root) }.filter { file in
            !usualGitFiles.contains { PathText.same($0, file) }
        }
    }
}
