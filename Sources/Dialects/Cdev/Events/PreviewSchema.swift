import Markdown
import OrderedJSON

extension Schema {
    /// The result of `permission/preview`.
    static let preview = oneOf(difference, text, plan)

    private static let difference = object([
        "kind": Schema(["const": "diff"]), "path": .string, "hunks": .list(hunk),
        "added": .count.meaning("lines of the whole"), "removed": .count.meaning("lines of the whole"),
        "more": .count.meaning("lines of hunks that did not fit"), "request_id": .string,
    ]).named("Difference")

    private static let hunk = object(["old_start": .count, "new_start": .count, "lines": .list(line)])

    private static let line = object([
        "op": .choice([" ", "+", "-"]), "text": .string,
        "length": .count.optional.meaning("in bytes, where the text was cut"),
        "no_newline": .success.optional.meaning("no line feed ends it"),
    ])

    private static let text = object([
        "kind": Schema(["const": "text"]), "path": .string, "text": .string.meaning("all that is new"),
        "reason": .string.meaning("why there is no difference"), "request_id": .string,
        "truncated": .truncated.optional,
    ]).named("PlainText")

    private static let plan = object([
        "kind": Schema(["const": "plan"]), "document": node, "request_id": .string,
    ]).named("Plan")

    /// A part of a plan. The schema refers to itself by name, because parts contain parts.
    private static let node = object([
        "type": .choice(MarkdownNode.Kind.allCases.map(\.rawValue)), "text": .string.optional,
        "info": .string.optional, "level": .count.optional, "url": .string.optional, "ordered": .boolean.optional,
        "start": .integer.optional, "children": .list(Schema(["$ref": "#/components/schemas/Node"])).optional,
    ]).named("Node")
}
