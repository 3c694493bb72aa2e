import Commands

@main
enum Main {
    static func main() { CommandTool.main() }
}
