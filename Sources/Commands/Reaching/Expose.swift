import Glibc
import OrderedJSON

extension Command {
    static let expose = Command(
        "expose", operands: "tailscale|lan|off", 1...1,
        summary: "make the daemon reachable from your other devices, or undo that",
        details: """
            tailscale: within your tailnet, by `tailscale serve`, with a public certificate. lan: from every network this
            machine is in, with a certificate of its own that each device has to be told to trust. off: as it was before.
            Changes config.json, restarts the daemon, adds the hooks if you never took them out, and pairs a device where
            it runs in a terminal.
            """,
        options: [
            CommandOption("--home", "DIR", "in place of $CDEV_HOME"),
            CommandOption("--no-pair", nil, "do not invite a device afterwards"),
        ]
    ) { invocation in
        let places = try Places(invocation)
        let way = invocation.operands[0]
        guard ["lan", "off", "tailscale"].contains(way) else {
            throw CommandFailure.usage(
                "`cdev expose` takes tailscale, lan or off, not `\(way.shown(40))`", invocation.command)
        }
        try ConfigurationRight.require(places)
        var work = try ExposeWork(places, invocation)
        try work.apply(way)
        guard way != "off" else { return }
        try hooks(invocation, places)
        let mayPair = !invocation.has("--no-pair") && isatty(STDOUT_FILENO) == 1
        guard mayPair else { return Terminal.write("next: cdev pair\n") }
        try Command.pair.run(invocation)
    }

    /// Without hooks a paired device would wait in vain.
    private static func hooks(_ invocation: Invocation, _ places: Places) throws {
        let hooks = try places.client.call("status/get")["hooks"]
        guard hooks?.text("state") == "not-installed", hooks?["uninstalled_by_user"]?.boolValue != true else { return }
        try Command.install.run(invocation)
    }
}

/// One run of `cdev expose`: what it changes, in an order in which each failure leaves the state before.
private struct ExposeWork {
    private let places: Places
    private let invocation: Invocation
    private let before: Exposure?
    private let original: ConfigurationDraft
    private var file: ConfigurationDraft
    /// True if `tailscale` does not serve the daemon yet.
    private var mustServe = false
    /// Keys that somebody changed since the last `cdev expose`.
    private var kept: [String] = []

    init(_ places: Places, _ invocation: Invocation) throws(CommandFailure) {
        self.places = places
        self.invocation = invocation
        before = Exposure(home: places.home)
        original = try ConfigurationDraft(home: places.home)
        file = original
    }

    private var tailscale: Tailscale { Tailscale(environment: invocation.environment) }

    mutating func apply(_ way: String) throws(CommandFailure) {
        if let before { kept = try before.undo(in: &file) }
        var now = Exposure(way: way)
        switch way {
        case "lan": try exposeToNetworks(&now)
        case "tailscale": try exposeToTailnet(&now)
        default:
            guard before != nil else { return Terminal.write("nothing to undo: `cdev expose` has changed nothing\n") }
        }
        _ = try file.checked()
        if mustServe { try serve(now) }
        do throws(CommandFailure) {
            try writeAndRestart()
        } catch {
            if mustServe { endServing(now) }
            throw error
        }
        if way == "off" { try Exposure.forget(places.home) } else { try now.save(places.home) }
        if let before, before.served?.port != now.served?.port { endServing(before) }
        try report(way)
    }

    private mutating func exposeToNetworks(_ now: inout Exposure) throws(CommandFailure) {
        try now.set("host", "0.0.0.0", in: &file)
        if file["tls"]?.objectValue == nil { try now.set("tls", "local-ca", in: &file) }
        // Links would still lead to the other address.
        try now.set("public_url", nil, in: &file)
    }

    private mutating func exposeToTailnet(_ now: inout Exposure) throws(CommandFailure) {
        let configuration = try file.checked()
        guard configuration.port != 0 else {
            throw CommandFailure(
                .other, "`port` in config.json is 0, a new one at each start: choose one, such as 8766")
        }
        guard ["0.0.0.0", "127.0.0.1", "localhost"].contains(configuration.host) else {
            throw CommandFailure(
                .other,
                "`host` in config.json is \(configuration.host.shown(60)), and tailscale serves 127.0.0.1: remove it")
        }
        let target = "http://127.0.0.1:\(configuration.port)"
        let name = try tailscale.name()
        let port = try tailscale.port(for: name, target: target)
        mustServe = !port.isServed
        // What somebody else made is not ours to undo.
        if !port.isServed || before?.served?.port == port.number { now.served = (port.number, name, target) }
        let url = "https://\(name)" + (port.number == 443 ? "" : ":\(port.number)")
        try now.set("public_url", .string(url), in: &file)
        let proxies = file["trusted_proxies"]?.arrayValue ?? []
        if !proxies.contains("127.0.0.1") {
            try now.set("trusted_proxies", .array(proxies + ["127.0.0.1"]), in: &file)
        }
    }

    private func serve(_ now: Exposure) throws(CommandFailure) {
        guard let served = now.served else { return }
        let words = Tailscale.words(serving: served.target, port: served.port)
        try tailscale.run(words)
        Terminal.write("ran `tailscale \(words.joined(separator: " "))`\n")
    }

    /// Ends what `tailscale` was told, unless it was told something else meanwhile.
    private func endServing(_ exposure: Exposure) {
        guard let served = exposure.served else { return }
        guard tailscale.serves(served.target, port: served.port, of: served.name) else {
            return Terminal.write("tailscale no longer serves this daemon at port \(served.port): left as it is\n")
        }
        let words = Tailscale.words(endingPort: served.port)
        do throws(CommandFailure) {
            try tailscale.run(words)
            Terminal.write("ran `tailscale \(words.joined(separator: " "))`\n")
        } catch {
            Terminal.complain("cdev: \(error.message)")
        }
    }

    private func writeAndRestart() throws(CommandFailure) {
        let isUp = (try? places.client.call("status/health")) != nil
        guard !isUp || changedKeys != [] else { return }
        if changedKeys != [] { try file.write() }
        do throws(CommandFailure) {
            try DaemonRestart.run(invocation)
        } catch {
            try? original.restore()
            try? DaemonRestart.run(invocation)
            throw CommandFailure(error.status, "\(error.message); config.json is as it was")
        }
    }

    private var changedKeys: [String] {
        ["host", "public_url", "tls", "trusted_proxies"].filter { original[$0] != file[$0] }
    }

    private func report(_ way: String) throws(CommandFailure) {
        for key in changedKeys {
            let texts = [original[key], file[key]].map { $0.map { $0.serialized().shown(200) } ?? "none" }
            Terminal.write("config.json: \(key): \(texts[0]) → \(texts[1])\n")
        }
        for key in kept { Terminal.write("config.json: \(key) was changed meanwhile, so it is not put back\n") }
        let url = try places.client.call("status/get").text("base_url")
        guard way != "off" else { return Terminal.write("the daemon is at \(url) again\n") }
        Terminal.write("the daemon is at \(url); `cdev expose off` undoes this\n")
        guard !url.hasPrefix("https://127.") else {
            throw CommandFailure(.other, "this machine is in no network: no other device reaches it")
        }
    }
}

/// `cdev restart`, for commands that change the configuration.
enum DaemonRestart {
    static func run(_ invocation: Invocation) throws(CommandFailure) {
        try Command.restart(invocation, tellsProblem: false)
    }
}
