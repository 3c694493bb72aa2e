/// How a program reads its own words: what an attached value or a bundle of letters is to it.
///
/// A row without one takes words of its own only: no attached value, no bundle.
enum ProgramParser: String, Sendable, CaseIterable {
    /// Python's argparse, which may read `@FILE` as a list of further words.
    case argparse
    /// Rust's clap and lexopt.
    case clap
    /// Go's `flag`: `-name value`, `-name=value`, no bundles.
    case flag
    /// POSIX: letters only, and no option behind an operand.
    case getopt
    /// GNU: letters and `--name=value`, before and behind operands; git's parse-options, click and optparse too.
    case getoptLong = "getopt_long"
    /// cac and mri (vitest): letters are names of their own, `-tc=x` is `-c`.
    case mri
    /// A parser of the program's own: each option is a word, its value the next one or behind `--name=`.
    case own
    /// Go's pflag and cobra.
    case pflag
    /// yargs (jest): `-tc=x` is `-c`.
    case yargs

    /// `-la` is `-l -a`, and `-n5` is `-n 5`.
    var readsBundles: Bool {
        switch self {
        case .argparse, .clap, .getopt, .getoptLong, .pflag: true
        case .flag, .mri, .own, .yargs: false
        }
    }

    /// `--name=value` is `--name value`.
    var readsLongValues: Bool { self != .getopt }

    /// `-name=value` is `-name value`.
    var readsNamesBehindOneDash: Bool { self == .flag }

    /// Options may stand behind operands.
    var permutes: Bool { self != .getopt }

    /// A word `@FILE` may be replaced by what the file says, wherever it stands.
    var mayReadLists: Bool {
        switch self {
        case .argparse, .clap, .mri, .own, .yargs: true
        case .flag, .getopt, .getoptLong, .pflag: false
        }
    }

    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
