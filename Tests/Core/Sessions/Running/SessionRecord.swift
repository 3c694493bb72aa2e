import Core
import Testing

/// What those outside of run sessions know; each step is held against it.
struct SessionRecord {
    let name: String
    /// Questions that somebody was asked, and the session of each.
    private(set) var asked: [String: String] = [:]
    private var open: Set<String> = []
    private var decisions: [String: HookAnswer] = [:]
    private var answered: Set<String> = []
    /// Prompts that were accepted and have not ended, with their sessions.
    private var pending: [String: String] = [:]
    private var ended: Set<String> = []
    private var written: Set<String> = []
    /// Prompts of the phone that were accepted, and those that were before its revocation.
    private var ofPhone: Set<String> = []
    private var revoked: Set<String> = []

    init(name: String) {
        self.name = name
    }

    func expect(_ isTrue: Bool, _ message: String) {
        if !isTrue { Issue.record("\(name): \(message)") }
    }

    mutating func note(_ prompt: String, _ receipt: PromptReceipt, session: String) {
        let key = session + prompt
        switch receipt {
        case .ended: expect(ended.contains(key), "\(key) has an end that nobody was told")
        case .queued, .sent: pending[key] = session
        }
    }

    mutating func noteSender(of prompt: SessionPrompt, session: String) {
        revoked.remove(session + prompt.id)
        if prompt.sender == nil { ofPhone.remove(session + prompt.id) } else { ofPhone.insert(session + prompt.id) }
    }

    mutating func noteRevocation() {
        revoked.formUnion(ofPhone)
        ofPhone = []
    }

    mutating func decide(_ request: String, _ answer: HookAnswer, isDelivered: Bool) {
        expect(!isDelivered || open.contains(request), "\(request) was answered though it was not open")
        if isDelivered { decisions[request] = answer }
    }

    mutating func note(_ effect: SessionEffect, _ children: [String: FakeChild]) {
        switch effect {
        case .ask(let session, let request):
            expect(open.insert(request.id).inserted, "\(request.id) was asked twice")
            asked[request.id] = session
        case .promptEnded(let session, let prompt, _):
            pending[session + prompt] = nil
            expect(ended.insert(session + prompt).inserted, "\(session + prompt) ended twice")
        case .spawn(let launch): expect(children[launch.session]?.isAlive != true, "\(launch.session) runs already")
        case .withdraw(_, let request, _): open.remove(request)
        case .write(let session, .prompt(let id, _)):
            let run = children[session].map { "\($0.run)" } ?? ""
            expect(written.insert(session + id + run).inserted, "\(session + id) was written twice")
            expect(!revoked.contains(session + id), "\(session + id) was written after its device was revoked")
        case .write(_, .answer(let request, _, let answer)): note(request, answer)
        case .adopt, .alarm, .changed, .recall, .save, .signal, .sweep, .write: break
        }
    }

    private mutating func note(_ request: String, _ answer: HookAnswer) {
        expect(answered.insert(request).inserted, "\(request) was answered twice")
        open.remove(request)
        guard case .allow = answer else { return }
        expect(decisions[request] == answer, "nobody allowed \(request)")
    }

    /// The next daemon asks what is open again, and may send what its row did not yet know.
    mutating func daemonEnded() {
        open = []
        answered = []
        decisions = [:]
        written = []
        ended = []
    }

    func check(_ state: SessionState, _ children: [String: FakeChild]) {
        expect(state.all.filter(\.hasChild).count <= state.limits.children, "there are too many children")
        for child in children.values { expect(child.ranTwice.isEmpty, "\(child.ranTwice) ran twice") }
        expect(children.values.filter(\.isAlive).count <= state.limits.children, "too many children live")
        for session in state.all {
            let waiting = Set(session.prompts.map { session.id + $0.id })
            let mine = Set(pending.filter { $0.value == session.id }.keys)
            expect(session.phase != .idle || mine.isEmpty, "\(session.id) is said to be idle and has \(mine)")
            expect(mine.isSubset(of: waiting), "\(mine.subtracting(waiting)) is lost")
        }
    }

    func checkEnd(_ state: SessionState, _ children: [String: FakeChild]) {
        expect(children.values.allSatisfy { !$0.isAlive }, "a child lives")
        expect(open.isEmpty, "\(open) is open")
        expect(pending.isEmpty, "\(pending) never ended")
        expect(state.all.allSatisfy { $0.phase == .ended }, "a session has not ended")
    }
}
