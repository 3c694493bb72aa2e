// swift-tools-version: 6.2
// The benchmark, apart from what it measures: `swift build` above it builds none of this.
import PackageDescription

/// The rows that measure parts in this process call what those parts offer within their package (`package`). They are let
/// in by its name, which the package manager makes of its directory's.
let measured = String(
    (Context.packageDirectory.split(separator: "/").dropLast().last ?? "").lowercased().map {
        $0.isLetter || $0.isNumber ? $0 : "_"
    })

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
    .unsafeFlags(["-package-name", measured]),
]

/// A C program without the Swift runtime, which the linker would add although nothing uses it. A release is what is
/// measured.
let pureC: [LinkerSetting] = [
    .unsafeFlags(
        ["-enable-experimental-feature", "Embedded", "-Xclang-linker", "-static"],
        .when(platforms: [.linux], configuration: .release))
]

let package = Package(
    name: "cdev-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "cdev", path: "..")],
    targets: [
        .target(name: "CBench"),
        .executableTarget(
            name: "cdev-bench",
            dependencies: ["CBench"]
                + ["Core", "Host", "OrderedJSON", "Rules", "Transport", "Wire", "CSQLite"].map {
                    .product(name: $0, package: "cdev")
                },
            packageAccess: false, swiftSettings: settings),
        .executableTarget(name: "cdev-bench-floor", linkerSettings: pureC),
    ],
    swiftLanguageModes: [.v6]
)
