/// Holds what git knows of names in one directory.
package struct GitNames: Sendable, Hashable {
    package var tracked: Set<String>
    package var ignored: Set<String>

    package init(tracked: Set<String>, ignored: Set<String>) {
        self.tracked = tracked
        self.ignored = ignored
    }
}
