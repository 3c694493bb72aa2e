import Core
import OrderedJSON

extension Command {
    static let doctor = Command(
        "doctor", summary: "check that everything works, and say what to do where it does not",
        details: "Fires every installed script end to end. Exit status 1 where something is wrong.",
        options: [
            .json, CommandOption("--notify", nil, "also send a test notification to every channel"),
            CommandOption("--settings", "PATH", "another settings file"),
        ]
    ) { invocation in
        var doctor = Doctor(places: try Places(invocation), invocation: invocation)
        let findings = doctor.examine()
        if invocation.wantsJSON {
            Terminal.write(ListOutput.json(["findings": .array(findings.map(\.json))]))
        } else {
            let paint = Paint(invocation.environment)
            Terminal.write(findings.map { $0.text(paint) }.joined())
        }
        let faults = findings.filter { $0.grade == .fault }.count
        if faults > 0 { throw CommandFailure(.other, faults == 1 ? "one fault found" : "\(faults) faults found") }
    }
}

/// The result of one check.
struct Finding {
    enum Grade: String {
        case fault
        case fine
        /// Nothing is broken, but the user should know.
        case note
    }

    let grade: Grade
    private let message: String
    private let remedy: String?

    init(_ grade: Grade, _ message: String, remedy: String? = nil) {
        self.grade = grade
        self.message = message
        self.remedy = remedy
    }

    func text(_ paint: Paint) -> String {
        let mark =
            switch grade {
            case .fault: paint.bad("✗")
            case .fine: paint.good("✓")
            case .note: paint.warning("·")
            }
        return "\(mark) \(message.shown(600))\n" + (remedy.map { "    → \($0.shown(400))\n" } ?? "")
    }

    var json: JSON {
        ["grade": .string(grade.rawValue), "message": .string(message), "remedy": remedy.map { .string($0) } ?? .null]
    }
}
