import Glibc

/// `cdev-counts PART N` does a part of a hook's work N times, and nothing else.
@main
enum Main {
    static func main() {
        let words = CommandLine.arguments
        switch (words.dropFirst().first, words.dropFirst(2).first.flatMap { Int($0) }) {
        case ("match", let times?): CountedParts.match(times)
        case ("parse", let times?): CountedParts.parse(times)
        default:
            print("usage: cdev-counts match|parse N")
            exit(2)
        }
    }
}
