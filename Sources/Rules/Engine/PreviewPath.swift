package import OrderedJSON

/// Why a file may not be read to be shown.
package enum PathRefusal: Error, Sendable, Hashable {
    case anotherHome, notUnderstood, outside, sensitive
    /// Its way cannot be told: a loop of links, say.
    case uncertain
}

extension RuleEngine {
    /// Where the file of a call lies, links resolved, if it may be read to show what the call changes: under the root,
    /// with no sensitive name.
    package static func previewPath(
        tool: String, input: JSON, context: RuleContext, paths: any PathPort
    ) -> Result<String, PathRefusal> {
        guard FileTools.writing.contains(tool), let path = FileTools.path(tool: tool, input: input, context: context)
        else { return .failure(.notUnderstood) }
        let ground = Ground(context, paths)
        let resolved = ground.resolve(path)
        guard resolved.isCertain, ground.root.isCertain else { return .failure(.uncertain) }
        guard let below = PathText.remainder(of: resolved.path, below: ground.root.path) else {
            return .failure(.outside)
        }
        let isSensitive =
            SensitiveNames.isSensitive(path: below) || SensitiveNames.isSensitive(path: ground.writtenBelowRoot(path))
        if isSensitive { return .failure(.sensitive) }
        if SensitiveNames.isAnotherHome(resolved.path, home: context.home) { return .failure(.anotherHome) }
        return .success(resolved.path)
    }
}
