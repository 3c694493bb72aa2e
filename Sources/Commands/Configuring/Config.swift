import Daemon
import OrderedJSON

extension Command {
    static let configGet = Command(
        "config get", operands: "[KEY]", 0...1, summary: "show the configuration, or the value of one key",
        details:
            "A key that config.json does not name has its default. `notify.ntfy` is the member `ntfy` of `notify`.",
        options: [CommandOption("--home", "DIR", "in place of $CDEV_HOME"), .json]
    ) { invocation in
        let file = ConfigurationFile(home: try Places(invocation).home)
        let values = try file.values()
        guard let key = invocation.operands.first else { return list(invocation, values) }
        let standard = try known(key)
        let own = value(at: key, of: values)
        let value = own ?? (key == standard.name ? standard.fallback : nil)
        if invocation.wantsJSON {
            let members: JSONObject = [
                "key": .string(key), "value": value ?? .null, "is_default": .bool(own == nil),
            ]
            return Terminal.write(ListOutput.json(members))
        }
        Terminal.write("\(value.map(text) ?? "none")\(own == nil ? "  (default)" : "")\n")
    }

    static let configSet = Command(
        "config set", operands: "KEY [VALUE]", 1...2, summary: "change one key of the configuration",
        details: """
            VALUE is JSON, or a text as it is. The file is checked as a start of the daemon checks it, and only changed
            if the daemon could start with it; all else in it stays as it is. `cdev restart` makes it count.
            """,
        options: [
            CommandOption("--default", nil, "take the key out, so that its default counts"),
            CommandOption("--home", "DIR", "in place of $CDEV_HOME"),
        ]
    ) { invocation in
        let key = invocation.operands[0]
        let given = invocation.operands.dropFirst().first
        guard (given == nil) == invocation.has("--default") else {
            throw CommandFailure.usage("`cdev config set` takes a VALUE or --default", invocation.command)
        }
        _ = try known(key)
        let places = try Places(invocation)
        try ConfigurationRight.require(places)
        let file = ConfigurationFile(home: places.home)
        if let given { try set(key, given, file) } else { try file.set(key, nil) }
        let now = value(at: key, of: try file.values()).map(text) ?? "its default"
        Terminal.write("\(key) is \(now.shown(200))\(hint(places))\n")
    }

    static let configEdit = Command(
        "config edit", summary: "change the configuration in your editor",
        details: """
            Opens a copy of config.json in $VISUAL, $EDITOR or vi. The copy takes the file's place only if the daemon
            could start with it.
            """,
        options: [CommandOption("--home", "DIR", "in place of $CDEV_HOME")]
    ) { invocation in
        let places = try Places(invocation)
        try ConfigurationRight.require(places)
        try ConfigurationEdit(file: ConfigurationFile(home: places.home), invocation: invocation).run()
        Terminal.write("config.json is written\(hint(places))\n")
    }

    /// A sentence for a change that a running daemon does not know; empty if none runs.
    static func hint(_ places: Places) -> String {
        (try? places.client.call("status/health")) == nil ? "" : "; the daemon reads it when it starts: `cdev restart`"
    }

    /// The known key that `path` begins with.
    private static func known(_ path: String) throws(CommandFailure) -> ConfigurationKey {
        let name = path.prefix { $0 != "." }
        let isNested = name.count < path.count
        let steps = path.split(separator: ".", omittingEmptySubsequences: false)
        guard !steps.contains(""), let key = ConfigurationKey.all.first(where: { $0.name == name }),
            !isNested || name == "notify"
        else {
            let near = Nearest.word(String(name), among: ConfigurationKey.all.map(\.name))
            throw CommandFailure(
                .usage, "there is no key \"\(path.shown(60))\"\(near.map { "; did you mean \($0)?" } ?? "")")
        }
        return key
    }

    private static func value(at path: String, of values: JSONObject) -> JSON? {
        var value: JSON? = .object(values)
        for step in path.split(separator: ".") { value = value?[String(step)] }
        return value
    }

    /// Sets the value as JSON if the key takes it so, else as a text.
    private static func set(_ key: String, _ given: String, _ file: ConfigurationFile) throws(CommandFailure) {
        guard let json = try? JSON(parsing: given) else { return try file.set(key, .string(given)) }
        do throws(CommandFailure) {
            try file.set(key, json)
        } catch {
            // A text that happens to be JSON, such as a secret of digits.
            guard json.stringValue == nil, (try? file.check(file.changed(key, .string(given)))) != nil else {
                throw error
            }
            try file.set(key, .string(given))
        }
    }

    private static func text(_ value: JSON) -> String { value.stringValue ?? value.serialized() }

    private static func list(_ invocation: Invocation, _ values: JSONObject) {
        if invocation.wantsJSON {
            let defaults = JSONObject(ConfigurationKey.all.map { ($0.name, $0.fallback ?? .null) })
            return Terminal.write(ListOutput.json(["values": .object(values), "defaults": .object(defaults)]))
        }
        let known = ConfigurationKey.all.map { key in
            [
                key.name, (values[key.name] ?? key.fallback).map(text)?.cell ?? "none",
                values[key.name] == nil ? "default" : "set", key.meaning,
            ]
        }
        let names = Set(ConfigurationKey.all.map(\.name))
        let unknown = values.filter { !names.contains($0.key) }.map { key, value in
            [key.shown(40), text(value).cell, "unknown", "no such key: the daemon ignores it"]
        }
        ListOutput.write(
            ["KEY", "VALUE", "FROM", "MEANING"], known + unknown, cutting: ["VALUE"], invocation.environment)
    }
}
