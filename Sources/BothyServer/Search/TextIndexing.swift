import BothyContract

/// Has the words of texts follow what files hold: soon after an upload, in small steps, and again from where it was after a
/// crash.
package struct TextIndexing: Sendable {
    /// Contents that one step looks at.
    private static let batch = 64
    /// Words after which a step reads no further text: its transaction keeps others waiting for some milliseconds.
    private static let mostWords = 4096
    /// Transactions of others beside one step from which on they have much to do: then a round is this step alone.
    private static let mostOthers = 8

    private let database: any Database
    private let reader: ContentReader

    package init(database: any Database, packs: any PackStore) {
        self.database = database
        reader = ContentReader(database: database, packs: packs)
    }

    /// It reads files, and must not hold the others up: it belongs to a runner of its own.
    package var job: Job { Job("texts to search", every: 5) { try await step() } }

    /// One bounded step. While others write much, it is a round's only one: an upload of many texts must not wait for their
    /// words, and neither must a search for an upload that never ends.
    package func step() async throws -> Job.Step {
        let before = database.transactionsAsked
        let looks = try await database.read { db in
            try TextQueue.next(in: db, limit: Self.batch).map { try Look.of($0.contentId, in: db, drive: $0.drive) }
        }
        if looks.isEmpty { return .done }
        var read = [(look: Look, words: [String: Int]?)]()
        var held = 0
        for look in looks where held < Self.mostWords {
            let words = try await words(of: look.toRead)
            held += words?.count ?? 0
            read.append((look, words))
        }
        let finished = read
        let count = try await database.write { db in
            try finished.count { try $0.look.finish($0.words, in: db) }
        }
        let own = 1
        let isBusy = database.transactionsAsked - before - own >= Self.mostOthers
        return count == 0 || isBusy ? .done : .more
    }

    /// - Returns: nil where nothing was to be read.
    private func words(of content: StoredContent?) async throws -> [String: Int]? {
        guard let content else { return nil }
        do {
            let bytes = try await reader.beginning(of: content, most: NameWords.longestText)
            return ReadText.of(bytes).map { NameWords.places(in: $0) } ?? [:]
        } catch is PackError {
            // It is noted as damaged where it was met, and whoever puts the file again gives it another content. The texts
            // behind it do not wait for that.
            return [:]
        } catch let problem as Problem where problem.code == .notFound {
            // It was deleted a moment ago.
            return [:]
        }
    }

    /// One content that is looked at.
    private struct Look: Sendable {
        var drive: Int64
        var contentId: Int64
        /// Nil where there is nothing to read: it is no text, or known already.
        var toRead: StoredContent?

        static func of(_ contentId: Int64, in db: any SQLConnection, drive: Int64) throws -> Look {
            var look = Look(drive: drive, contentId: contentId)
            let texts = TextTable(db, drive: drive)
            if try texts.isWanted(contentId), try !texts.isKnown(contentId),
                let content = try ContentTable(db, drive: drive).find(contentId)
            {
                look.toRead = StoredContent(
                    driveId: drive, contentId: contentId, name: "", mimeType: "", size: content.size,
                    checksum: content.checksum)
            }
            return look
        }

        /// Things may have changed while it was read, so what is wanted is asked once more.
        ///
        /// - Parameter words: nil where nothing was read.
        /// - Returns: false where it has to be looked at once more.
        func finish(_ words: [String: Int]?, in db: any SQLConnection) throws -> Bool {
            let texts = TextTable(db, drive: drive)
            let (isWanted, isKnown) = (try texts.isWanted(contentId), try texts.isKnown(contentId))
            if isWanted, !isKnown {
                // It is wanted since a moment ago: the next step reads it.
                guard let words else { return false }
                try texts.add(contentId, words)
            }
            if !isWanted, isKnown { try texts.remove(contentId) }
            try TextQueue(db, drive: drive).remove(contentId)
            return true
        }
    }
}
