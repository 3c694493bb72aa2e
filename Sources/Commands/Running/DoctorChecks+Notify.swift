import OrderedJSON

extension Doctor {
    /// Checks the channels of notifications; with `--notify`, sends a test through each.
    func notify(_ status: JSON?) -> [Finding] {
        guard let status, !status.list("notify").isEmpty else { return [] }
        let findings = invocation.has("--notify") ? tested() : status.list("notify").map(known)
        return findings + reach(status) + status.list("notify").compactMap(obstacle)
    }

    private func known(_ channel: JSON) -> Finding {
        let name = channel.text("channel")
        let failure = channel.text("failure")
        guard failure.isEmpty else {
            return Finding(
                .fault, "notifications by \(name) fail since \(channel.clock("failed_at")): \(failure)",
                remedy: "put it right, then `cdev doctor --notify` tries it and counts it in again")
        }
        let last = channel.text("last_delivery")
        return Finding(
            .fine,
            "notifications by \(name): \(last.isEmpty ? "none sent yet" : "the last at \(channel.clock("last_delivery"))")"
        )
    }

    private func tested() -> [Finding] {
        do throws(CommandFailure) {
            return try places.client.call("notify/test").list("channels").map { test in
                let name = test.text("channel")
                guard test["delivered"]?.boolValue == true else {
                    return Finding(
                        .fault, "a test by \(name) did not arrive: \(test.text("failure"))",
                        remedy: "look at notify in config.json, or at the device's subscription")
                }
                return Finding(.fine, "a test by \(name) was taken; does the device show it?")
            }
        } catch {
            return [Finding(.fault, "no test could be sent: \(error.message)", remedy: "cdev doctor --notify")]
        }
    }

    private func obstacle(_ channel: JSON) -> Finding? {
        let obstacle = channel.text("obstacle")
        guard !obstacle.isEmpty else { return nil }
        return Finding(
            .fault, "what \(channel.text("channel")) sends cannot be answered, so nothing is held for it: \(obstacle)",
            remedy: "set public_url to the address your phone reaches the daemon at")
    }

    private func reach(_ status: JSON) -> [Finding] {
        let isSaid = status.list("notify").contains { !$0.text("obstacle").isEmpty }
        // Pushes to apps have no links.
        let hasLinks = status.list("notify").contains { !$0.text("channel").hasPrefix("apns ") }
        guard !isSaid, hasLinks, status.text("base_url").hasPrefix("http://127.") else { return [] }
        return [
            Finding(
                .note, "notifications link to \(status.text("base_url")), which only this machine can open",
                remedy: "set public_url to the address your phone reaches the daemon at")
        ]
    }
}
