import BothyContract
import Synchronization

/// Has the words of texts follow what files hold: soon after an upload, in small steps, and again from where it was after a
/// crash.
package struct TextIndexing: Sendable {
    /// Different words after which a step reads no further text: each is a row, and its transaction keeps others waiting for some
    /// ten milliseconds.
    private static let mostRows = 8192
    /// Words of all its texts, for its memory.
    private static let mostWords = 65_536

    private let database: any Database
    private let reader: ContentReader
    private let answered: @Sendable () -> Int
    /// The drives have their turns: one that gets a hundred thousand texts keeps no other waiting for them.
    private let turn = IndexingTurn()
    private let batch: Int

    /// - Parameters:
    ///   - answered: how many requests the server has answered until now.
    ///   - batch: contents that one step looks at.
    package init(
        database: any Database, packs: any PackStore, answered: @escaping @Sendable () -> Int, batch: Int = 512
    ) {
        self.database = database
        self.answered = answered
        self.batch = batch
        reader = ContentReader(database: database, packs: packs)
    }

    /// It reads files, and must not hold the others up: it belongs to a runner of its own.
    package var job: Job { Job("texts to search", every: 5) { try await step() } }

    /// One bounded step. While requests come, it is a round's only one: neither an upload nor a download of many files must wait for
    /// the words of texts, and a search must not wait for uploads that never end.
    package func step() async throws -> Job.Step {
        let before = answered()
        let (drive, passed) = turn.next
        let looks = try await database.read { db in
            try TextQueue.next(in: db, after: drive, passing: passed, limit: batch)
                .map { try Look.of($0.contentId, in: db, drive: $0.drive) }
        }
        if looks.isEmpty {
            turn.lookAgain()
            return .done
        }
        var read = [(look: Look, words: [String: Int]?)]()
        var (held, rows, removed) = (0, Set<String>(), 0)
        for look in looks where held < Self.mostWords && rows.count + removed < Self.mostRows {
            let words = try await words(of: look.toRead)
            held += words?.count ?? 0
            if let words { rows.formUnion(words.keys) } else { removed += try await known(look) }
            read.append((look, words))
            turn.looked(at: look.contentId, of: look.drive, couldRead: look.toRead == nil || words != nil)
        }
        let finished = read
        let count: Int
        do {
            count = try await database.write { try Self.finish(finished, in: $0) }
        } catch DatabaseError.diskFull {
            // The queue keeps them until there is room; the next change is refused for lack of it.
            return .done
        }
        return count == 0 || answered() > before ? .done : .more
    }

    /// - Returns: nil where nothing was to be read.
    private func words(of content: StoredContent?) async throws -> [String: Int]? {
        guard let content else { return nil }
        do {
            let bytes = try await reader.beginning(of: content, most: NameWords.longestText)
            return ReadText.of(bytes).map { NameWords.places(in: $0) } ?? [:]
        } catch PackError.damaged {
            // It is noted as damaged where it was met, and an upload of the file gives it other content. The texts
            // behind it do not wait for that.
            return [:]
        } catch is PackError {
            // It is another time's: a pack that cannot be opened now says nothing of the text.
            return nil
        } catch let problem as Problem where problem.code == .notFound {
            // It was deleted a moment ago.
            return [:]
        }
    }

    /// How many words are taken away, where no file holds the content any more: of each content by itself.
    private func known(_ look: Look) async throws -> Int {
        guard look.isToRemove else { return 0 }
        return try await database.read { db in
            try TextTable(db, drive: look.drive).words(of: look.contentId)?.list.words.count ?? 0
        }
    }

    /// - Returns: how many need not be looked at once more.
    private static func finish(
        _ read: [(look: Look, words: [String: Int]?)], in db: any SQLConnection
    ) throws -> Int {
        var count = 0
        for (drive, ofDrive) in Dictionary(grouping: read, by: \.look.drive) {
            var toAdd = [(contentId: Int64, words: [String: Int])]()
            for (look, words) in ofDrive {
                switch try look.finish(words, in: db) {
                case .add(let words): toAdd.append((look.contentId, words))
                case .done: break
                case .again: continue
                }
                count += 1
            }
            try TextTable(db, drive: drive).add(toAdd)
        }
        return count
    }

    /// What is to be done with a content that was looked at.
    private enum End {
        case add([String: Int])
        case done
        case again
    }

    /// One content that is looked at.
    private struct Look: Sendable {
        var drive: Int64
        var contentId: Int64
        /// Nil where there is nothing to read: it is no text, or known already.
        var toRead: StoredContent?
        /// No file holds it any more.
        var isToRemove = false

        static func of(_ contentId: Int64, in db: any SQLConnection, drive: Int64) throws -> Look {
            var look = Look(drive: drive, contentId: contentId)
            let texts = TextTable(db, drive: drive)
            guard try texts.isWanted(contentId) else {
                look.isToRemove = true
                return look
            }
            if try !texts.isKnown(contentId),
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
        func finish(_ words: [String: Int]?, in db: any SQLConnection) throws -> End {
            let texts = TextTable(db, drive: drive)
            let (isWanted, isKnown) = (try texts.isWanted(contentId), try texts.isKnown(contentId))
            // It is wanted since a moment ago: the next step reads it.
            if isWanted, !isKnown, words == nil { return .again }
            if !isWanted, isKnown { try texts.remove(contentId) }
            try TextQueue(db, drive: drive).remove(contentId)
            return if isWanted, !isKnown, let words { .add(words) } else { .done }
        }
    }
}

/// Whose texts are looked at next.
private final class IndexingTurn: Sendable {
    private struct State {
        var drive = Int64.min
        var passed = [Int64: Int64]()
        var looks = 0
    }

    /// Each is a term of the query.
    private static let mostPassed = 100
    /// Looks after which those that were passed by have their turn whatever else waits.
    private static let mostLooks = 100

    private let state = Mutex(State())

    /// The drive that was looked at last, and of drives with texts that could not be read the last of those: what lies behind them in
    /// the queue does not wait until they can be.
    var next: (after: Int64, passing: [Int64: Int64]) {
        state.withLock { state in
            state.looks += 1
            if state.looks.isMultiple(of: Self.mostLooks) { state.passed = [:] }
            return (state.drive, state.passed)
        }
    }

    func looked(at contentId: Int64, of drive: Int64, couldRead: Bool) {
        state.withLock { state in
            state.drive = drive
            if couldRead { return }
            if state.passed.count == Self.mostPassed, state.passed[drive] == nil { state.passed = [:] }
            state.passed[drive] = contentId
        }
    }

    /// Nothing else waits: those that were passed by have their turn.
    func lookAgain() { state.withLock { $0.passed = [:] } }
}
