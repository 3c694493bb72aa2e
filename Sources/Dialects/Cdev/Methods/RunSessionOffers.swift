import Core
import OrderedJSON
import Services
import Wire

/// Methods that tell which agent runs and what it offers, take a prompt back, and hand a session to a terminal.
struct RunSessionOffers: MethodGroup {
    let sessions: any RunSessionService

    var methods: [Method] { [attach, cancelPrompt, check, options] }

    private var attach: Method {
        Method(
            "session/attach", right: .administer,
            summary:
                "Ends the process of an idle session, so that the caller's goes on in its conversation at a terminal: "
                + "the daemon starts none in it before that has ended. Over the Unix socket only.",
            parameters: .requiredID("session_id", "as session/start returned it"),
            result: RunSessionBody.schema.with(
                .object([
                    "directory": .string,
                    "has_conversation": .boolean.meaning("false: nothing was said in it yet"),
                ]))
        ) { call, id async throws(JSONRPCError) in
            guard case .local(let pid) = call.caller.identity else {
                throw .invalidRequest("this is for a process at the machine itself: run `cdev attach` there")
            }
            let session = try await RunSessionFailure.answering { () async throws(RunSessionFailure) in
                try await sessions.lend(id, to: pid)
            }
            var members = RunSessionBody.listing(session)
            members["directory"] = .string(session.directory)
            members["has_conversation"] = .bool(session.hasConversation)
            return .object(members)
        }
    }

    private var cancelPrompt: Method {
        Method(
            "session/cancel_prompt", right: .drive,
            summary: "Takes back a prompt that waits. One that the agent works on goes on: session/interrupt stops it.",
            parameters: .requiredID("prompt_id", "as session/send returned it"),
            .requiredID("session_id", "as session/start returned it"),
            result: .object([
                "success": .success,
                "cancelled": .boolean.meaning("false: the agent works on it already, or it has ended"),
            ])
        ) { _, prompt, session async throws(JSONRPCError) in
            let isCancelled = try await RunSessionFailure.answering { () async throws(RunSessionFailure) in
                try await sessions.cancel(prompt, of: session)
            }
            return ["success": true, "cancelled": .bool(isCancelled)]
        }
    }

    private var check: Method {
        Method(
            "session/check", right: .read,
            summary:
                "Tells which Claude Code a session would run, and in which environment. May wait for a login shell.",
            result: .object([
                "program": .string.orNull, "version": .string.orNull, "lowest_version": .string,
                "shell": .string.orNull.meaning("whose environment it gets; null: the daemon's"),
                "notice": .string.orNull.meaning("why that shell's environment is not to be had"),
                "problem": .string.orNull.meaning("why no session can be started"),
            ])
        ) { _ async throws(JSONRPCError) in
            guard let found = await sessions.check() else {
                throw .internalError("too many ask for this at once; try again in a moment")
            }
            return [
                "program": .text(found.program), "version": .text(found.version),
                "lowest_version": .string(found.lowestVersion), "shell": .text(found.shell),
                "notice": .text(found.notice), "problem": .text(found.problem),
            ]
        }
    }

    private var options: Method {
        Method(
            "session/options", right: .read,
            summary: "Lists the models and the slash commands that Claude Code offers. Both are empty until a session "
                + "has started.",
            parameters: .id("session_id", "what that session's agent offers; else what any told last"),
            result: .object([
                "models": .list(
                    .object([
                        "value": .string.meaning("as session/start and session/set take it"), "name": .string,
                        "description": .string,
                        "efforts": .list(.string).meaning("as session/set takes one; empty where there is no choice"),
                    ])),
                "commands": .list(
                    .object([
                        "name": .string.meaning("without the slash"), "description": .string,
                        "argument_hint": .string,
                    ])),
            ])
        ) { _, session async throws(JSONRPCError) in
            let offer = try await RunSessionFailure.answering { () async throws(RunSessionFailure) in
                try await sessions.offer(of: session)
            }
            return ["models": .array(offer.models.map(\.json)), "commands": .array(offer.commands.map(\.json))]
        }
    }
}

extension AgentOffer.Model {
    fileprivate var json: JSON {
        [
            "value": .string(value), "name": .string(name), "description": .string(description),
            "efforts": .array(efforts.map(JSON.string)),
        ]
    }
}

extension AgentOffer.Command {
    fileprivate var json: JSON {
        ["name": .string(name), "description": .string(description), "argument_hint": .string(argumentHint)]
    }
}
