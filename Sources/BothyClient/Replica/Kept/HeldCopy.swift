import BothyContract

/// A file's newest content as it lies on this device, and what it is known to be.
package struct HeldCopy: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// The home keeps it, and the server has it as this version.
        case held(revision: String)
        /// It waits to be sent, and may be nowhere else.
        case waiting
        /// A folder that is synced has it.
        case inStep
    }

    package var kind: Kind
    /// Absolute.
    package var path: String
    /// Bytes.
    package var size: Int64
    /// nil where nobody knows it, and where it is a person's own to change.
    package var checksum: ContentHash?

    package init(kind: Kind, path: String, size: Int64, checksum: ContentHash?) {
        self.kind = kind
        self.path = path
        self.size = size
        self.checksum = checksum
    }

    /// What waits to be sent; what a person has where it is may change, and has no hash.
    package init(waiting content: PendingContent) {
        self.init(
            kind: .waiting, path: content.path, size: content.size, checksum: content.owned ? content.checksum : nil)
    }

    /// What is said when it is not what it is known to be.
    ///
    /// - Parameters:
    ///   - name: the file's.
    ///   - isOffline: whether that is why it was not fetched again.
    package func damage(of name: String, isOffline: Bool) -> ClientFailure {
        switch kind {
        case .held where isOffline:
            ClientFailure(
                .offline, "There is no connection, and the local copy of “\(name)” is damaged.",
                remedy: "It is downloaded again when there is a connection.")
        case .held:
            ClientFailure(
                .integrityMismatch, "The local copy of “\(name)” is damaged, and its download is not complete.",
                remedy: "Open it again: with a connection it is downloaded.")
        case .waiting:
            ClientFailure(
                .sourceDamaged, "The copy of “\(name)” that waits here to be sent is damaged.")
        case .inStep:
            ClientFailure(
                .integrityMismatch, "“\(path)” is damaged, or was changed just now.",
                remedy: "“bothy verify” says which.")
        }
    }
}
