/// Holds back what would take much away at once, and says what it saw.
package enum Guard {
    /// What a guard saw. A person confirms exactly this.
    package enum Sighting: Hashable, Codable, Sendable {
        case manyDeletions(Direction, count: Int, of: Int)
        case rootVanished, rootUnmounted, rootReplaced, rootEmptied
        case remoteRootLost
    }

    /// Which side would lose something.
    package enum Direction: String, Codable, CaseIterable, Sendable {
        case here, onTheServer
    }
}
