/// The rule for refresh tokens, pure: a token holds until its successor is used, and one that was replaced ends them all.
///
/// Each use of a token makes a child. An answer that is lost therefore signs no one out: the same token is used again and
/// has a second child. When one child is used, its parent and its siblings are replaced; a replaced token that comes
/// back means that two parties hold the family (RFC 9700 §4.14.2), and both lose it.
package struct RefreshFamily: Hashable, Sendable {
    /// The generation used last; 0 before the first use.
    package var anchor: Int64
    /// The youngest generation.
    package var latest: Int64

    package init(anchor: Int64 = 0, latest: Int64 = 1) {
        self.anchor = anchor
        self.latest = latest
    }

    /// Children of one token that may be waiting for their first use; the oldest gives way.
    package static let mostChildren = 8

    package enum Action: Hashable, Sendable {
        /// A new child of `anchor`; generations in `forget` are no longer valid.
        case issue(generation: Int64, forget: [Int64])
        /// A replaced token, or a forged one: the family ends.
        case revoke
    }

    /// - Parameters:
    ///   - generation: of the token that was used; nil when its secret is none of those that hold.
    ///   - holding: generations that hold, the anchor (if any) and its children.
    package mutating func use(_ generation: Int64?, holding: [Int64]) -> Action {
        guard let generation, holding.contains(generation) else { return .revoke }
        let next = latest + 1
        latest = next
        guard generation == anchor else {
            anchor = generation
            return .issue(generation: next, forget: holding.filter { $0 != generation })
        }
        let children = holding.filter { $0 != anchor }.sorted()
        return .issue(generation: next, forget: Array(children.prefix(max(0, children.count + 1 - Self.mostChildren))))
    }
}
