import Host
import OrderedJSON
import Text

/// The program `tailscale`, which makes this machine's port reachable within its tailnet, with a public certificate.
struct Tailscale {
    let environment: [String: String]

    /// Ports of HTTPS that `cdev expose` takes, the first that is free.
    private static let ports = [443, 8443, 10_443]

    /// This machine's name in the tailnet. Throws with the remedy where no certificate for it can be had.
    func name() throws(CommandFailure) -> String {
        let status = try json(["status", "--json"])
        guard status.text("BackendState") == "Running" else {
            throw CommandFailure(
                .other, "tailscale is not connected (\(status.text("BackendState").shown(40))): `tailscale up`")
        }
        let name = String((status["Self"] ?? .null).text("DNSName").reversed().drop { $0 == "." }.reversed())
        guard !name.isEmpty else {
            throw CommandFailure(
                .other,
                "this machine has no name in the tailnet: switch MagicDNS on at https://login.tailscale.com/admin/dns")
        }
        guard status.list("CertDomains").contains(where: { $0.stringValue == name }) else {
            throw CommandFailure(
                .other,
                "the tailnet gives \(name.shown(100)) no certificate: "
                    + "switch HTTPS Certificates on at https://login.tailscale.com/admin/dns")
        }
        return name
    }

    /// The port of HTTPS for `name`, and true if it leads to `target` already.
    func port(for name: String, target: String) throws(CommandFailure) -> (number: Int, isServed: Bool) {
        let served = try json(["serve", "status", "--json"])
        for port in Self.ports {
            let site = "\(name):\(port)"
            let handlers = served["Web"]?[site]?["Handlers"]?.objectValue
            let isOurs = handlers?["/"]?["Proxy"]?.stringValue == target && handlers?.count == 1
            if isOurs, served["AllowFunnel"]?[site]?.boolValue == true {
                throw CommandFailure(
                    .refused,
                    "tailscale funnel puts \(site.shown(100)) on the open internet; "
                        + "end that first: `tailscale funnel --https=\(port) off`")
            }
            if isOurs { return (port, true) }
            if handlers == nil, served["TCP"]?["\(port)"] == nil { return (port, false) }
        }
        throw CommandFailure(
            .other,
            "tailscale serves other things at \(Self.ports.map(String.init).joined(separator: ", ")) already; "
                + "see `tailscale serve status`")
    }

    /// True if the port of HTTPS leads to `target`, and to nothing else.
    func serves(_ target: String, port: Int, of name: String) -> Bool {
        (try? self.port(for: name, target: target)).map { $0.isServed && $0.number == port } ?? false
    }

    static func words(serving target: String, port: Int) -> [String] { ["serve", "--bg", "--https=\(port)", target] }

    static func words(endingPort port: Int) -> [String] { ["serve", "--https=\(port)", "off"] }

    private func json(_ words: [String]) throws(CommandFailure) -> JSON {
        let said = try run(words)
        guard let value = try? JSON(parsing: Array(said.utf8)) else {
            throw CommandFailure(
                .other, "`tailscale \(words.joined(separator: " "))` printed something that is not JSON")
        }
        return value
    }

    /// Runs `tailscale` and returns its output.
    @discardableResult
    func run(_ words: [String]) throws(CommandFailure) -> String {
        let line = "tailscale " + words.joined(separator: " ")
        guard let done = ChildProcess.run(["tailscale"] + words, environment: environment, seconds: 30),
            done.status != 127
        else {
            throw CommandFailure(
                .other,
                "there is no `tailscale` here: https://tailscale.com/download, then `tailscale up`; "
                    + "or `cdev expose lan`")
        }
        let said = (done.complaint + done.output).shown(600)
        guard !done.isTimedOut else {
            throw CommandFailure(.other, "`\(line)` did not end within 30 s; it said: \(said)")
        }
        guard done.status == 0 else {
            let remedy = said.lowercased().holds("denied") ? "; once: `sudo tailscale set --operator=$USER`" : ""
            throw CommandFailure(.other, "`\(line)` failed: \(said)\(remedy)")
        }
        return done.output
    }
}
