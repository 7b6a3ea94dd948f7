import BothyContract

/// Content that the home keeps, with the hash that it is known to have.
package struct HeldContent: Equatable, Sendable {
    package enum Use: Equatable, Sendable {
        /// It is kept here for good.
        case pinned
        /// It is here while there is room.
        case atHand
        /// It waits to be sent, by this operation.
        case pending(Int64)
    }

    package var use: Use
    /// Whose content it is, on the server; nil where that lies nowhere.
    package var place: RemotePath?
    /// Absolute.
    package var path: String
    /// Bytes.
    package var size: Int64
    package var checksum: ContentHash
}
