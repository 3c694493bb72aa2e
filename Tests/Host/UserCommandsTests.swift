import Glibc
import Host
import TestSupport
import Testing

struct UserCommandsTests {
    @Test func areNotUsedInPartOrUnread() throws {
        let home = try PrivateHome()
        _ = try UserCommands.table(home: home.path)
        try home.write("commands.json", "[{}]")
        let wrong = #expect(throws: UserCommandsError.self) { try UserCommands.table(home: home.path) }
        #expect(wrong?.description.contains("cannot be used") == true)
        #expect(unlink(home.file("commands.json")) == 0)
        #expect(symlink(home.file("away.json"), home.file("commands.json")) == 0)
        let unread = #expect(throws: UserCommandsError.self) { try UserCommands.table(home: home.path) }
        #expect(unread?.description.contains("a link to a file") == true)
    }
}
