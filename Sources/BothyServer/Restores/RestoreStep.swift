import BothyContract

/// A row of `restore_steps`: what a restore does to one node.
struct RestoreStep: Equatable, Sendable {
    var nodeId: String
    /// Steps go by rank: folders before what lies in them, so that whatever is put into a folder finds it in its place.
    var rank: Int64
    var action: RestoreChange.Action
    var aspects: [RestoreChange.Aspect] = []
    /// The node's version when it was planned: a newer one is somebody's work, and is left alone.
    var version: Int64 = 0
    var isFolder: Bool
    /// The id of the folder that is made anew.
    var newId: String?
    /// What the node is to be.
    var target: Target
    /// Whose content it is to have, where `aspects` has the content; nil for none.
    var revisionId: String?
    var path: String?
    var pastPath: String?
    var lostAt: Timestamp?
    /// Nil until it is done.
    var outcome: RestoreChange.Outcome?

    struct Target: Equatable, Sendable {
        var parentId: String
        var name: String
        /// In the trash by itself.
        var trashed: Bool
        /// Neither it nor a folder above it is to be in the trash.
        var live: Bool
        var executable: Bool
    }

    /// After everything that is put back, by its depth.
    static let trashRank: Int64 = 1 << 20
    static let lostRank: Int64 = 1 << 21

    var change: RestoreChange {
        RestoreChange(
            fileId: nodeId, isFolder: isFolder, action: action, aspects: aspects, path: path, pastPath: pastPath,
            revisionId: revisionId, lostAt: lostAt, outcome: outcome)
    }
}

extension [RestoreChange.Aspect] {
    /// A bit for each, as the database keeps them.
    var bits: Int64 {
        RestoreChange.Aspect.allCases.enumerated().reduce(0) { contains($1.element) ? $0 | 1 << $1.offset : $0 }
    }

    init(bits: Int64) {
        self = RestoreChange.Aspect.allCases.enumerated().filter { bits & 1 << $0.offset != 0 }.map(\.element)
    }
}
