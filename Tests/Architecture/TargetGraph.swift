import Foundation
import OrderedJSON

/// What the package manager says of the package.
struct TargetGraph: Sendable {
    struct Target: Sendable {
        let name: String
        let path: String
        let isTest: Bool
        let dependencies: Set<String>
    }

    let targets: [Target]

    /// With a scratch path of its own, or it would wait for the build that runs this test.
    static func described() throws -> TargetGraph {
        let scratch = try ScratchDirectory()
        let text = try output(of: [
            "swift", "package", "--package-path", Repository.root, "--scratch-path", scratch.path, "describe", "--type",
            "json",
        ])
        let json = try JSON(parsing: text)
        return TargetGraph(targets: (json["targets"]?.arrayValue ?? []).compactMap(target))
    }

    private static func target(_ json: JSON) -> Target? {
        guard let name = json["name"]?.stringValue, let path = json["path"]?.stringValue else { return nil }
        let edges = json["target_dependencies"]?.arrayValue ?? []
        return Target(
            name: name, path: path, isTest: json["type"]?.stringValue == "test" || name == "TestSupport",
            dependencies: Set(edges.compactMap(\.stringValue)))
    }

    subscript(name: String) -> Target? { targets.first { $0.name == name } }

    /// Everything that a target reaches.
    func closure(of name: String) -> Set<String> {
        var reached: Set<String> = []
        var open = [name]
        while let next = open.popLast() {
            for edge in self[next]?.dependencies ?? [] where reached.insert(edge).inserted { open.append(edge) }
        }
        return reached
    }
}
