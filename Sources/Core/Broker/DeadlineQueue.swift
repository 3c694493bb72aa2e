/// A binary heap of deadlines, the earliest first. Its user skips entries that no longer hold when they come first.
struct DeadlineQueue {
    struct Entry: Comparable {
        let at: Uptime
        let id: String

        static func < (left: Entry, right: Entry) -> Bool {
            (left.at, left.id) < (right.at, right.id)
        }
    }

    private var heap: [Entry] = []

    var first: Entry? { heap.first }
    var count: Int { heap.count }

    mutating func insert(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func removeFirst() {
        guard let last = heap.popLast(), !heap.isEmpty else { return }
        heap[0] = last
        var parent = 0
        while let child = smallerChild(of: parent), heap[child] < heap[parent] {
            heap.swapAt(child, parent)
            parent = child
        }
    }

    private func smallerChild(of parent: Int) -> Int? {
        let left = 2 * parent + 1
        guard left < heap.count else { return nil }
        return left + 1 < heap.count && heap[left + 1] < heap[left] ? left + 1 : left
    }
}
