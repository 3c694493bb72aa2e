/// One of the things that an agent means to do.
package struct TodoItem: Sendable, Hashable {
    package enum Status: String, Sendable, Hashable, CaseIterable {
        case completed
        case inProgress = "in_progress"
        case pending
    }

    /// The agent's id for it; no two of a list have the same.
    package let id: String
    package var text: String
    package var status: Status

    package init(id: String, text: String, status: Status) {
        self.id = id
        self.text = text
        self.status = status
    }
}

/// A change of the list of what an agent means to do.
package enum TodoChange: Sendable, Hashable {
    /// Adds an item, or puts it in place of the one with its id.
    case add(TodoItem)
    /// The whole list.
    case all([TodoItem])
    /// `nil` for what stays as it is.
    case change(id: String, text: String?, status: TodoItem.Status?)
    case remove(id: String)
}

/// A part of a message that is about the list. A call tells what is to become of the list, its result that this was done:
/// a call may be refused.
package enum TodoNote: Sendable, Hashable {
    case called(String, TodoChange?)
    /// A call ended well, of whatever tool, with what its result says that a call of the list's tools would have done.
    case returned(String, TodoChange?)
}

/// The list of what an agent means to do, as far as the messages tell that were taken in.
package struct TodoList: Sendable, Hashable {
    package private(set) var items: [TodoItem] = []
    /// Calls without a result.
    private var calls: [String: TodoChange?] = [:]

    /// Far more than an agent works on, or calls at a time.
    private static let most = 200

    package init() {}

    /// Returns true if the list is another now.
    package mutating func take(_ notes: [TodoNote]) -> Bool {
        let before = items
        for note in notes { take(note) }
        return items != before
    }

    private mutating func take(_ note: TodoNote) {
        switch note {
        case .called(let call, let change):
            if calls.count == Self.most { calls = [:] }
            calls[call] = .some(change)
        case .returned(let call, let result):
            guard let change = calls.removeValue(forKey: call) else { return }
            if let change { apply(change) }
            if let result { apply(result) }
        }
    }

    private mutating func apply(_ change: TodoChange) {
        switch change {
        case .add(let item):
            if let place = place(of: item.id) { items[place] = item } else { items.append(item) }
        case .all(let all): items = all
        case .change(let id, let text, let status):
            guard let place = place(of: id) else { return }
            items[place].text = text ?? items[place].text
            items[place].status = status ?? items[place].status
        case .remove(let id): items.removeAll { $0.id == id }
        }
        items = Array(items.prefix(Self.most))
    }

    private func place(of id: String) -> Int? { items.firstIndex { $0.id == id } }
}
