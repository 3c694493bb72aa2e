// swift-tools-version: 6.2
// The map of the project: one section per target, sorted. `docs/architecture.md` says why the edges are these.
import PackageDescription

#if canImport(Glibc)
    import Glibc
#endif

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Without the module of regular expressions, which the compiler imports unasked: one search for a text in a text would
/// bring its parser into the daemon, 0.8 MiB of it. And each function apart, so that the linker can leave out those that
/// nothing calls, another half.
let lean =
    settings + [
        .unsafeFlags([
            "-Xfrontend", "-disable-implicit-string-processing-module-import", "-Xfrontend", "-function-sections",
        ])
    ]

/// The relay starts with every tool call, so nothing may be left to load: about eight times faster than `sh -c curl`.
let staticExecutable: [LinkerSetting] = [
    .unsafeFlags(["-static-executable"], .when(platforms: [.linux], configuration: .release))
]

/// The command starts with nothing to load but what Debian has, wherever the toolchain it was built with has gone. Nobody
/// looks its symbols up by name: exported, each would keep code that nothing calls.
let staticLibrary: [LinkerSetting] = [
    .unsafeFlags(
        ["-static-stdlib", "-use-ld=lld", "-Xlinker", "--no-export-dynamic"] + packedRelocations,
        .when(platforms: [.linux], configuration: .release))
]

/// What the loader reads at each start, in a thirtieth of its size, where the C library can read it so (2.36).
var packedRelocations: [String] {
    #if canImport(Glibc)
        var text = [CChar](repeating: 0, count: 64)
        confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count)
        let version = text.split { !(48...57).contains($0) }.compactMap {
            Int(String(decoding: $0.map(UInt8.init), as: UTF8.self))
        }
        if !version.lexicographicallyPrecedes([2, 36]) {
            return ["-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"]
        }
    #endif
    return []
}

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: lean)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: dependencies + ["TestSupport"], path: "Tests/" + name,
        resources: name == "Rules" ? [.copy("Cases")] : [], swiftSettings: settings)
}

let package = Package(
    name: "cdev",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "cdev", targets: ["cdev"]),
        .executable(name: "cdev-hook", targets: ["cdev-hook"]),
    ]
        + ["Core", "Host", "OrderedJSON", "Rules", "Transport", "Wire", "CSQLite"].map {
            .library(name: $0, targets: [$0])
        },
    targets: [
        library("Agents", ["Core", "OrderedJSON", "Platform", "Rules", "Text", "Wire", "CAssets", "CPlatform"]),
        library("Announce", [.byName(name: "CAvahi", condition: .when(platforms: [.linux]))]),
        .target(name: "CAssets", cSettings: [.unsafeFlags(["-Wno-c23-extensions"])]),
        // Loaded when it is needed, as libcurl is.
        .systemLibrary(name: "CAvahi", providers: [.apt(["libavahi-client-dev"])]),
        .systemLibrary(
            name: "CCMark", pkgConfig: "libcmark",
            providers: [.apt(["libcmark-dev"]), .brew(["cmark"])]),
        // Loaded when it is needed: what pkgConfig gives would link it.
        .systemLibrary(
            name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(
            name: "CEvents", pkgConfig: "libevent_core",
            providers: [.apt(["libevent-dev"]), .brew(["libevent"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl"])]),
        .systemLibrary(
            name: "CPNG", pkgConfig: "libpng",
            providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
        .target(name: "CPlatform"),
        .systemLibrary(
            name: "CQRCode", pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        library(
            "Commands",
            [
                "Agents", "Core", "Daemon", "Host", "OrderedJSON", "Platform", "QRCode", "Rules", "TerminalView",
                "Text",
                "Wire", "CPlatform",
            ]),
        library("Compression", ["CZlib"]),
        library("Core", ["OrderedJSON", "Rules", "Text"]),
        library("Crypto", ["Platform", "COpenSSL"]),
        library(
            "Daemon",
            [
                "Agents", "Announce", "Compression", "Core", "Crypto", "Dialects", "Host", "Loop", "Notify",
                "OrderedJSON", "Platform", "QRCode", "Rules", "Services", "Store", "Text", "Transport", "Wire",
            ]),
        library(
            "Dialects", ["Agents", "Core", "Markdown", "OrderedJSON", "Platform", "Services", "Text", "Wire"]),
        library("Host", ["Core", "OrderedJSON", "Platform", "Rules", "Text", "CAssets", "CPlatform"]),
        library("Loop", ["Platform", "CEvents", "CPlatform"]),
        library("Markdown", ["CCMark"]),
        library(
            "Notify", ["Core", "Crypto", "OrderedJSON", "Platform", "Services", "Text", "Wire", "CCurl"]),
        library("OrderedJSON"),
        library("Platform", ["Text", "CPlatform"]),
        library("QRCode", ["CPNG", "CQRCode"]),
        library("Rules", ["OrderedJSON", "Text"]),
        library("Services", ["Core", "OrderedJSON", "Platform"]),
        library("Store", ["Core", "OrderedJSON", "Platform", "CSQLite"]),
        library("TerminalView", ["Core", "OrderedJSON", "Text"]),
        library("Text"),
        library("Transport", ["Crypto", "Loop", "Platform", "Text", "Wire", "COpenSSL", "CPlatform"]),
        library("Wire", ["OrderedJSON"]),
        .executableTarget(
            name: "cdev", dependencies: ["Commands"], swiftSettings: lean, linkerSettings: staticLibrary),
        .executableTarget(name: "cdev-hook", swiftSettings: settings, linkerSettings: staticExecutable),
        .executableTarget(
            name: "codec-probe", dependencies: ["OrderedJSON", "Wire"], path: "Tests/EndToEnd/codecs/probe",
            swiftSettings: settings),
        .executableTarget(
            name: "push-probe", dependencies: ["Core", "Crypto", "Notify", "OrderedJSON", "Wire"],
            path: "Tests/EndToEnd/push/probe", swiftSettings: settings, linkerSettings: [.linkedLibrary("m")]),
        .executableTarget(
            name: "rule-probe", dependencies: ["Host", "OrderedJSON", "Rules"], path: "Tests/Programs/probe",
            swiftSettings: settings),
        .target(
            name: "TestSupport", dependencies: ["Agents", "Core", "OrderedJSON", "Platform", "Rules", "Services"],
            path: "Tests/TestSupport",
            swiftSettings: settings),
        tests("Agents", ["Agents", "Core", "OrderedJSON", "Wire"]),
        tests("Architecture", ["OrderedJSON"]),
        tests("Commands", ["Commands", "Core"]),
        tests("Compression", ["Compression"]),
        tests("Core", ["Agents", "Core", "Host", "OrderedJSON", "Rules", "Text"]),
        tests("Crypto", ["Crypto", "Platform"]),
        tests(
            "Daemon",
            [
                "Agents", "Core", "Crypto", "Daemon", "Host", "OrderedJSON", "Platform", "Rules", "Services", "Store",
                "Transport", "Wire",
            ]),
        tests(
            "Dialects",
            ["Agents", "Core", "Dialects", "Host", "Markdown", "OrderedJSON", "Platform", "Services", "Wire"]),
        tests("Host", ["Core", "Host", "Platform", "Rules", "CPlatform"]),
        tests("Loop", ["Loop", "Platform"]),
        tests("Markdown", ["Markdown"]),
        tests("Notify", ["Core", "Crypto", "Notify", "OrderedJSON", "Transport", "Wire"]),
        tests("OrderedJSON", ["OrderedJSON"]),
        tests("Platform", ["Platform"]),
        tests("QRCode", ["QRCode"]),
        tests("Relay"),
        tests("Rules", ["Core", "Host", "OrderedJSON", "Rules", "Text"]),
        tests("Services", ["Core", "Host", "OrderedJSON", "Platform", "Rules", "Services"]),
        tests("Store", ["Agents", "Core", "OrderedJSON", "Store", "CSQLite"]),
        tests("TerminalView", ["Core", "OrderedJSON", "TerminalView"]),
        tests("Text", ["Text"]),
        tests("Transport", ["Crypto", "Loop", "Platform", "Transport", "Wire", "COpenSSL"]),
        tests("Wire", ["OrderedJSON", "Wire"]),
    ],
    swiftLanguageModes: [.v6]
)

/// What `Tests/Performance` counts in parts. Here and not in `Benchmarks`, so that it is linked from the release that the
/// test of the installation has built; `swift build` builds none of it.
if Context.environment["CDEV_COUNTS"] != nil {
    package.targets.append(
        .executableTarget(
            name: "cdev-counts", dependencies: ["Core", "Host", "OrderedJSON", "Rules", "Wire"],
            path: "Benchmarks/Sources",
            sources: ["cdev-counts", "cdev-bench/Clients/HTTPText.swift", "cdev-bench/Clients/HookInput.swift"],
            swiftSettings: settings, linkerSettings: staticLibrary))
}

/// The sanitizers build everything anew, so they take along only what they test. `CDEV_TESTS` names the tests that are
/// wanted; only those are there then, and the targets that they depend on.
if let wanted = Context.environment["CDEV_TESTS"]?.split(separator: " ").map({ "\($0)Tests" }) {
    let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    var needed: Set<String> = []
    var next = wanted
    while let name = next.popLast() {
        guard let target = targets[name] else { fatalError("CDEV_TESTS names no tests: \(name)") }
        guard needed.insert(name).inserted else { continue }
        next += target.dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } }
    }
    package.products = []
    package.targets.removeAll { !needed.contains($0.name) }
}
