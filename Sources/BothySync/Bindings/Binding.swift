import BothyClient
import BothyContract

/// A directory here and a folder on the server that are kept in step.
package struct Binding: Equatable, Sendable, Identifiable {
    package let id: String
    /// Absolute, with every symbolic link on the way resolved.
    package let localPath: String
    package var remoteId: String
    /// Where the folder was on the server when it was bound, for words.
    package var remotePath: String
    package let accountId: String
    /// What the directory's `.bothy` says, to be known again by.
    package var mark: String
    /// What the directory itself was like when it was claimed.
    package var root: LocalStamp
    package var deletions: DeletionPolicy
    package var conflicts: ConflictResolution
    /// Patterns that are left out, besides those of `.bothyignore` files, in their language.
    package var exclude: [String]
    /// The number of the replica's link that the last pass saw; nil before the first.
    package var link: Int64?
    /// The two sides are being tied together: absence is no deletion until a pass has gone through.
    package var isLinking: Bool
    /// What the directory's disk makes of names; nil until somebody has looked.
    package var disk: DiskTraits?
    package let createdAt: Timestamp
    /// When a pass last came to its end.
    package var passedAt: Timestamp?
    /// What the last pass ended with, where it did not come to its end.
    package var failure: ClientFailure?

    package init(
        id: String, localPath: String, remoteId: String, remotePath: String, accountId: String, mark: String,
        root: LocalStamp, deletions: DeletionPolicy, conflicts: ConflictResolution, exclude: [String],
        createdAt: Timestamp
    ) {
        self.id = id
        self.localPath = localPath
        self.remoteId = remoteId
        self.remotePath = remotePath
        self.accountId = accountId
        self.mark = mark
        self.root = root
        self.deletions = deletions
        self.conflicts = conflicts
        self.exclude = exclude
        self.createdAt = createdAt
        link = nil
        isLinking = true
        passedAt = nil
        failure = nil
    }
}
