import Core
import OrderedJSON
import Services
import Wire

/// Sessions that other machines report. They are shown, and nobody answers or drives them here.
struct ElsewhereMethods: MethodGroup {
    let reports: any ReportService

    var methods: [Method] { [list] }

    private var list: Method {
        Method(
            "session/elsewhere", right: .read, scheduling: .beside,
            summary:
                "The sessions that other machines report and that have not ended, the latest active first. They are "
                + "shown only: nothing of them can be answered here.",
            parameters: .integer("limit", in: 1...200, default: 50, "at most so many"),
            result: .listing("sessions", of: .elsewhere)
        ) { _, limit async throws(JSONRPCError) in
            let query = ReportedSessionQuery(choice: .notEndedElsewhere, limit: limit)
            do throws(ReportFailure) {
                let found = try await reports.sessions(query)
                return .object(Listing(found.lazy.map(\.listing), ceiling: FrameCeiling.answer).object("sessions"))
            } catch {
                throw .internalError("the reports of other machines could not be read; `cdev status` says why")
            }
        }
    }
}

extension Schema {
    fileprivate static let elsewhere = object([
        "session_id": .string, "machine": .string.meaning("its name, as it reports it"), "machine_id": .string,
        "platform": .string, "status": .choice(ReportedStatus.allCases.map(\.rawValue)), "cwd": .string.orNull,
        "title": .string.orNull, "started_at": .time, "last_activity": .time, "truncated": .truncated.optional,
    ]).named("SessionElsewhere")
}

extension ReportedSession {
    fileprivate var listing: JSONObject {
        [
            "session_id": .string(id), "machine": .string(machine.name), "machine_id": .string(machine.id),
            "platform": .string(machine.platform), "status": .string(status.rawValue), "cwd": .text(cwd),
            "title": .text(title), "started_at": .time(startedAt), "last_activity": .time(lastEvent),
        ]
    }
}
