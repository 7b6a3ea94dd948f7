import BothyContract

/// Finds out how large what is attached to posts is, how long, and what it looks like from afar: right after it was posted, and, of what was
/// posted before that was known or while the server ended, by a walk.
actor AttachmentLooks {
    /// Revisions of one step.
    private static let batch = 20
    /// Revisions of one post that are looked at before the walk comes to it.
    private static let mostAtOnce = FeedLimits.maximumAttachments

    private let database: any Database
    private let media: MediaVariants
    /// Where the walk is; nil at its beginning.
    private var last: AttachmentTable.Attached?

    init(database: any Database, media: MediaVariants) {
        self.database = database
        self.media = media
    }

    /// Looks at what was just posted, without keeping its author waiting. What was looked at for another post is taken from there.
    nonisolated func begin(_ revisions: [String], of author: Int64) {
        guard !revisions.isEmpty else { return }
        Task {
            for revision in revisions.prefix(Self.mostAtOnce) {
                // Nobody waits for it: what fails now is looked at by the walk.
                _ = try? await lookIfNew(at: AttachmentTable.Attached(author: author, revisionId: revision))
            }
        }
    }

    /// - Returns: whether it had to be looked at.
    nonisolated func lookIfNew(at attached: AttachmentTable.Attached) async throws -> Bool {
        let (isWanted, known) = try await database.read { db in
            let table = AttachmentTable(db, of: attached.author)
            return (try table.wantsLook(attached.revisionId), try table.look(of: attached.revisionId))
        }
        guard isWanted else { return false }
        guard let known else {
            try await look(at: attached)
            return true
        }
        try await database.write { try AttachmentTable($0, of: attached.author).note(known, of: attached.revisionId) }
        return false
    }

    /// Some of those that nobody has looked at; what cannot be looked at now comes again in the next round.
    func step() async throws -> Job.Step {
        let found = try await database.read { [last] in
            try AttachmentTable.notLooked(after: last, limit: Self.batch, in: $0)
        }
        for attached in found {
            last = attached
            do {
                try await look(at: attached)
            } catch is Problem {
                // Another one may be in better order.
            } catch is PackError {
                // A damaged content is reported when it is read, and is none the worse for having no room.
            }
        }
        guard found.count < Self.batch else { return .more }
        last = nil
        return .done
    }

    private nonisolated func look(at attached: AttachmentTable.Attached) async throws {
        let look = try await media.look(at: attached.revisionId, of: attached.author)
        try await database.write { try AttachmentTable($0, of: attached.author).note(look, of: attached.revisionId) }
    }
}
