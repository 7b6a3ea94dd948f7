import BothyClient
import BothyContract

/// A directory here and a folder on the server that are kept in sync.
package struct Binding: Equatable, Sendable, Identifiable {
    package let id: String
    /// Absolute, with every symbolic link on the way resolved.
    package var localPath: String
    package var remoteId: String
    /// Where the folder was on the server when it was bound, for words.
    package var remotePath: String
    package let accountId: String
    /// What the directory's `.bothy` says, to be known again by.
    package var mark: String
    /// What the directory itself was like when it was claimed.
    package var root: LocalStamp
    /// The number of the disk on which the directory was seen last, to tell a mount point whose disk is missing; nil until
    /// somebody has looked.
    package var diskNumber: UInt64?
    package var deletions: DeletionPolicy
    package var conflicts: ConflictResolution
    /// What is left out besides what `.bothyignore` files name.
    package var leavesOut: LeftOut
    /// The number of the replica's link that the last pass saw; nil before the first.
    package var link: Int64?
    /// The two sides are being linked: absence is no deletion until a pass has gone through.
    package var isLinking: Bool
    /// A person undid the link: nothing is done until they are linked again.
    package var isLinkTakenBack = false
    /// What the directory's disk makes of names; nil until somebody has looked.
    package var disk: DiskTraits?
    package let createdAt: Timestamp
    /// When a pass last came to its end.
    package var passedAt: Timestamp?
    /// What the last pass ended with, where it did not come to its end.
    package var failure: ClientFailure?
    /// What the last pass that came to its end left waiting for a person.
    package var waits = Waiting()

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
        leavesOut = LeftOut(patterns: exclude)
        self.createdAt = createdAt
        link = nil
        isLinking = true
        passedAt = nil
        failure = nil
    }
}

/// What a device by itself leaves out of a folder.
package struct LeftOut: Equatable, Codable, Sendable {
    /// In the language of `.bothyignore`.
    package var patterns: [String]
    /// Bytes; larger files are left out. Nil: none for its size.
    package var largestFile: Int64?
    /// Lowercase, without the dot; files that end so are left out.
    package var endings: [String]

    package init(patterns: [String] = [], largestFile: Int64? = nil, endings: [String] = []) {
        self.patterns = patterns
        self.largestFile = largestFile
        self.endings = endings
    }

    package var rules: [LeavingRule] {
        let written = (patterns + endings.map { "*.\($0)" }).map { LeavingRule.pattern($0) }
        return written + [largestFile].compactMap(\.self).map { LeavingRule.largerThan($0) }
    }
}
