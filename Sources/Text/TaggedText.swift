extension String {
    /// The text between the first `<tag>` and the next `</tag>`.
    package func inside(_ tag: String) -> String? {
        guard let start = self[...].firstPlace(of: "<\(tag)>"),
            let end = self[start.upperBound...].firstPlace(of: "</\(tag)>")
        else { return nil }
        return String(self[start.upperBound..<end.lowerBound])
    }
}
