import FoundationEssentials
import Testing

/// Ways to damage a database that nobody has open.
extension StoreDirectory {
    var size: Int {
        get throws { try contents(database).count }
    }

    func contents(_ path: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(filePath: path)))
    }

    func cut(to size: Int) throws {
        try Data(try contents(database).prefix(size)).write(to: URL(filePath: database))
    }

    func askToHide() throws {
        try FileManager.default.createDirectory(atPath: path + ".ask", withIntermediateDirectories: false)
    }

    func hideIfAsked() {
        guard FileManager.default.fileExists(atPath: path + ".ask") else { return }
        try? FileManager.default.moveItem(atPath: path, toPath: path + ".ask/hidden")
    }

    func show() throws {
        try FileManager.default.moveItem(atPath: path + ".ask/hidden", toPath: path)
        try FileManager.default.removeItem(atPath: path + ".ask")
    }

    /// Overwrites the first page of a table or index.
    func breakTable(_ name: String) throws {
        let root = try OtherConnection(database).run("SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'")
        let page = try #require(root.first?.first.flatMap { Int($0) })
        try overwrite([UInt8](repeating: 0xee, count: 4096), at: (page - 1) * 4096)
    }
}
