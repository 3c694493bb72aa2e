import Core
import Glibc
import OrderedJSON

/// The second part of `cdev pair`: waits until the device is paired, and asks the user before it approves a device that
/// typed the code.
struct PairingWait {
    let client: DaemonClient
    let offer: String
    let isJSON: Bool
    private var asked: String?
    private var attemptsLeft = PairingBook.attempts

    init(client: DaemonClient, offer: String, isJSON: Bool) {
        self.client = client
        self.offer = offer
        self.isJSON = isJSON
    }

    mutating func run() throws(CommandFailure) {
        while true {
            let line = Interrupt.wait(milliseconds: 500, forLine: asked != nil && !isJSON)
            if Interrupt.came {
                _ = try? client.call("pair/reject", ["request_id": .string(asked ?? offer)])
                throw CommandFailure(.other, "the invitation was taken back")
            }
            if let line, let id = asked { try settle(id, line) }
            if try look() { return }
        }
    }

    /// Asks for the invitation's state; true once the device is paired.
    private mutating func look() throws(CommandFailure) -> Bool {
        let now = try client.call("pair/pending")
        guard let state = now.list("offers").first(where: { $0.text("offer_id") == offer }) else {
            throw CommandFailure(
                .other, "the daemon no longer knows this invitation (was it restarted?); run `cdev pair` again")
        }
        noteAttempts(state["attempts_left"]?.intValue)
        switch state.text("state") {
        case "used": return try finish(state.text("device_id"))
        case "expired": throw CommandFailure(.other, "nobody came in two minutes; run `cdev pair` again")
        case "rejected":
            throw CommandFailure(.refused, "the device was not let in; run `cdev pair` again if it should be")
        default:
            for request in now.list("requests") where request.text("offer_id") == offer { ask(request) }
            return false
        }
    }

    private mutating func noteAttempts(_ left: Int?) {
        guard let left, left < attemptsLeft else { return }
        attemptsLeft = left
        guard !isJSON else { return }
        Terminal.complain(
            left > 0
                ? "a wrong code was typed somewhere; \(left) more tries"
                : "five wrong codes were typed: the code is void, the link still works")
    }

    private mutating func ask(_ request: JSON) {
        let id = request.text("request_id")
        guard asked != id else { return }
        asked = id
        if isJSON { return Terminal.write(ListOutput.json(["request": request])) }
        let platform = request.text("platform").isEmpty ? "" : " (\(request.text("platform").shown(60)))"
        Terminal.write(
            "\(request.text("name").shown(60))\(platform) at \(request.text("address").shown(45)) typed the code.\n")
        if isatty(STDIN_FILENO) == 1 {
            let isDriver = request.text("access") == AccessLevel.drive.rawValue
            let meaning = isDriver ? ", as good as a shell on this machine" : ""
            Terminal.write("Let it in, to \(request.text("access"))\(meaning)? [y/N] ")
        } else {
            Terminal.write("Let it in with `cdev pair approve \(id)`, or not with `cdev pair reject \(id)`.\n")
        }
    }

    private func settle(_ id: String, _ line: String) throws(CommandFailure) {
        let isYes = ["y", "yes"].contains(line.lowercased())
        _ = try client.call(isYes ? "pair/approve" : "pair/reject", ["request_id": .string(id)])
    }

    private func finish(_ id: String) throws(CommandFailure) -> Bool {
        // The device is being written to the database.
        guard !id.isEmpty else { return false }
        guard let device = try client.call("device/list").list("devices").first(where: { $0.text("device_id") == id })
        else { throw CommandFailure(.refused, "the device came in and was revoked at once") }
        if isJSON {
            Terminal.write(ListOutput.json(["device": device]))
        } else {
            Terminal.write(
                "\(device.text("name").shown(60)) has come in from \(device.text("last_address").shown(45)) and may "
                    + "\(device.text("access")). Was it not you? `cdev devices revoke \(id.prefix(10))`\n")
        }
        return true
    }
}
