/// What patterns are held against: the bytes of a path from the folder whose patterns they are.
package struct IgnorePath: Sendable {
    package let kind: NodeKind
    /// The names with `/` between them.
    let whole: ArraySlice<UInt8>
    /// The last name.
    let name: ArraySlice<UInt8>

    package init(_ place: Place, kind: NodeKind) { self.init(Array(place.text.utf8)[...], kind: kind) }

    private init(_ whole: ArraySlice<UInt8>, kind: NodeKind) {
        self.kind = kind
        self.whole = whole
        let slash = whole.lastIndex(of: UInt8(ascii: "/"))
        name = slash.map { whole[($0 + 1)...] } ?? whole
    }

    /// The same path from a folder that it lies in.
    func from(_ folder: Place) -> IgnorePath {
        folder.isRoot ? self : IgnorePath(whole.dropFirst(folder.text.utf8.count + 1), kind: kind)
    }
}
