/// The kind of a program's argument parser: whether it reads attached values and bundles of letters.
///
/// A row without a parser accepts neither attached values nor bundles.
enum ProgramParser: String, Sendable, CaseIterable {
    /// Python's argparse, which may read `@FILE` as a list of further words.
    case argparse
    /// Rust's clap and lexopt.
    case clap
    /// Go's `flag`: `-name value`, `-name=value`, no bundles.
    case flag
    /// POSIX getopt: letters only, and no option after an operand.
    case getopt
    /// GNU getopt_long: letters and `--name=value`, before and after operands; git's parse-options, click and optparse
    /// too.
    case getoptLong = "getopt_long"
    /// cac and mri (vitest): each letter is a name, `-tc=x` sets `-c`.
    case mri
    /// A parser of the program's own: each option is a word, its value the next word or after `--name=`.
    case own
    /// Go's pflag and cobra.
    case pflag
    /// yargs (jest): `-tc=x` sets `-c`.
    case yargs

    /// True if `-la` means `-l -a`, and `-n5` means `-n 5`.
    var readsBundles: Bool {
        switch self {
        case .argparse, .clap, .getopt, .getoptLong, .pflag: true
        case .flag, .mri, .own, .yargs: false
        }
    }

    /// True if `--name=value` means `--name value`.
    var readsLongValues: Bool { self != .getopt }

    /// True if `-name=value` means `-name value`.
    var readsNamesBehindOneDash: Bool { self == .flag }

    /// True if options are recognised after operands.
    var permutes: Bool { self != .getopt }

    /// True if a word `@FILE` may be replaced by the words in FILE, in any position.
    var mayReadLists: Bool {
        switch self {
        case .argparse, .clap, .mri, .own, .yargs: true
        case .flag, .getopt, .getoptLong, .pflag: false
        }
    }

    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
