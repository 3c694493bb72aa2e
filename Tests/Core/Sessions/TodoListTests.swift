import Core
import Testing

/// The list of what an agent means to do.
@Suite struct TodoListTests {
    private var list = TodoList()

    private let one = TodoItem(id: "1", text: "one", status: .pending)
    private let two = TodoItem(id: "2", text: "two", status: .pending)

    /// Returns the list if it is another now.
    private mutating func take(_ notes: TodoNote...) -> [TodoItem]? { list.take(notes) ? list.items : nil }

    private mutating func make(_ change: TodoChange) -> [TodoItem]? {
        take(.called("t", nil), .returned("t", change))
    }

    @Test mutating func itemsStandInTheOrderInWhichTheyCame() {
        #expect(make(.add(two)) == [two])
        #expect(make(.add(one)) == [two, one])
        #expect(make(.add(one)) == nil)
        let done = TodoItem(id: "2", text: "two", status: .completed)
        #expect(make(.add(done)) == [done, one])
        #expect(make(.all([one])) == [one])
        #expect(make(.all([one])) == nil)
    }

    /// It may be refused.
    @Test mutating func aCallCountsOnceItHasEnded() {
        #expect(make(.all([one, two])) == [one, two])
        #expect(take(.called("a", .change(id: "1", text: "uno", status: .completed)), .called("b", nil)) == nil)
        #expect(take(.called("c", .remove(id: "2"))) == nil)
        #expect(take(.returned("c", nil)) == [one])
        #expect(take(.returned("b", nil)) == nil)
        #expect(take(.returned("a", nil)) == [TodoItem(id: "1", text: "uno", status: .completed)])
        #expect(take(.returned("c", nil), .returned("a", .add(two))) == nil)
    }

    @Test mutating func partsStayAsTheyAre() {
        #expect(make(.add(one)) == [one])
        let begun = TodoItem(id: "1", text: "one", status: .inProgress)
        #expect(take(.called("a", .change(id: "1", text: nil, status: .inProgress)), .returned("a", nil)) == [begun])
        #expect(take(.called("a", .change(id: "9", text: "x", status: nil)), .returned("a", nil)) == nil)
    }

    /// Another tool's result may look alike.
    @Test mutating func theResultOfAnotherCallIsNothing() {
        #expect(take(.returned("x", .add(one))) == nil)
    }

    @Test mutating func itIsBounded() {
        for index in 0..<1000 {
            _ = make(.add(TodoItem(id: "\(index)", text: "x", status: .pending)))
            _ = take(.called("\(index)", nil))
        }
        #expect(list.items.count == 200)
        #expect(take(.returned("1", .all([]))) == nil)
        #expect(take(.returned("999", .all([]))) == [])
    }
}
