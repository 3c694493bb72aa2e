import Commands

@main
enum CommandMain {
    static func main() { CommandTool.main() }
}
