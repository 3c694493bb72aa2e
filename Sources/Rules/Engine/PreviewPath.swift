package import OrderedJSON

/// The reason why a file may not be read for a preview.
package enum PathRefusal: Error, Sendable, Hashable {
    case anotherHome, notUnderstood, outside, sensitive
    /// The path cannot be resolved, for example because of a loop of links.
    case uncertain
}

extension RuleEngine {
    /// The resolved path of the file that a call changes, if the file may be read for a preview: it lies under the root
    /// and has no sensitive name.
    package static func previewPath(
        tool: String, input: JSON, context: RuleContext, paths: any PathPort
    ) -> Result<String, PathRefusal> {
        guard FileTools.writing.contains(tool), let path = FileTools.path(tool: tool, input: input, context: context)
        else { return .failure(.notUnderstood) }
        let root = SessionRoot(context, paths)
        let resolved = root.resolve(path)
        guard resolved.isCertain, root.resolved.isCertain else { return .failure(.uncertain) }
        guard let below = PathText.remainder(of: resolved.path, below: root.resolved.path) else {
            return .failure(.outside)
        }
        let isSensitive =
            root.isProtected || SensitiveNames.isSensitive(path: below)
            || SensitiveNames.isSensitive(path: root.writtenBelowRoot(path))
        if isSensitive { return .failure(.sensitive) }
        if SensitiveNames.isAnotherHome(resolved.path, home: context.home) { return .failure(.anotherHome) }
        return .success(resolved.path)
    }
}
