import BothyContract
import GRDB

/// Posts with files of this disk. Each file is put into a folder of the drive like any other, and the post waits for them. Files and post
/// are written down together, so that neither is ever there without the other.
package struct PostFiles: Sendable {
    private let journal: FeedJournal

    init(journal: FeedJournal) { self.journal = journal }

    private var replica: ReplicaEngine { journal.replica }

    /// - Parameters:
    ///   - files: in the order in which the post shows them.
    ///   - folder: the name of the folder, in the drive's root, that files of this disk go into. It is made where it is missing.
    /// - Returns: whether the server has the post by now.
    /// - Throws: `signInNeeded`; `offline` where nothing is known here of the drive yet; `fileMissing`, `permissionDenied`,
    ///   `sourceNotAFile`, `sourceChanged`, `diskFull` of a file; `refused`.
    @discardableResult
    package func publish(_ request: NewPostRequest, with files: [PostFile], in folder: String) async throws -> Bool {
        try journal.checkSignIn()
        try await learnOfTheDrive()
        let prepared = try await prepare(files)
        let (operation, uploads): (FeedOperation, [JournalOperation])
        do {
            (operation, uploads) = try await record(request, prepared, in: folder)
        } catch {
            discard(prepared.compactMap(\.copy))
            throw error
        }
        // What the drive has already is not sent again.
        let used = Set(uploads.compactMap(\.content?.path))
        discard(prepared.compactMap(\.copy).filter { !used.contains($0.path) })
        await replica.show(uploads)
        try await journal.send()
        return try await journal.outcome(of: operation)
    }

    /// Which names are taken is known here as the server last said it.
    private func learnOfTheDrive() async throws {
        do {
            try await replica.pull()
        } catch let failure as ClientFailure where failure.isNetworks {
            guard try await replica.isLinked() else { throw failure }
        }
    }

    // MARK: - Copies

    private enum Prepared: Sendable {
        case there(NewAttachment)
        case here(PostFile.Local, PendingContent)

        var copy: PendingContent? { if case .here(_, let copy) = self { copy } else { nil } }
    }

    private func prepare(_ files: [PostFile]) async throws -> [Prepared] {
        var prepared = [Prepared]()
        do {
            for file in files {
                switch file {
                case .there(let attachment): prepared.append(.there(attachment))
                case .here(let local): prepared.append(.here(local, try await replica.keep(local.path)))
                }
            }
        } catch {
            discard(prepared.compactMap(\.copy))
            throw error
        }
        return prepared
    }

    /// Copies that nothing waits for. One that cannot be removed now is swept later.
    private func discard(_ copies: [PendingContent]) {
        for copy in copies { try? journal.environment.disk.remove(copy.path) }
    }

    // MARK: - Writing down

    private func record(
        _ request: NewPostRequest, _ files: [Prepared], in folder: String
    ) async throws -> (FeedOperation, [JournalOperation]) {
        let now = journal.environment.clock.now()
        let recorder = JournalRecorder(store: try await replica.store(), clock: journal.environment.clock)
        return try await recorder.together { session in
            var (request, uploads) = (request, [JournalOperation]())
            let requestId = request.requestId ?? OrderedId.new(at: now)
            request.requestId = requestId
            request.attachments = try files.map { file in
                switch file {
                case .there(let attachment): return attachment
                case .here(let local, let copy):
                    return try session.attachment(local, copy, in: folder, recorded: &uploads)
                }
            }
            let post = try FeedOperationTable.insert(.publish(request), requestId: requestId, now: now, in: session.db)
            return (post, uploads)
        }
    }
}

extension JournalSession {
    /// Puts a file into a folder of the root, unless the very same is there under that name. Another one of that name stays.
    ///
    /// - Parameter recorded: is added to by what is written down.
    fileprivate mutating func attachment(
        _ file: PostFile.Local, _ content: PendingContent, in folder: String, recorded: inout [JournalOperation]
    ) throws -> NewAttachment {
        let parent: LUID
        if let there = try child(named: folder, of: .root) {
            guard there.isFolder else {
                throw ClientFailure(
                    .notAFolder, "“/\(folder)” is a file, but pictures of posts need a folder of that name.",
                    remedy: "Rename it with “bothy mv”.")
            }
            parent = there.luid
        } else {
            let made = try record(.createFolder(parent: .root, name: folder))
            recorded.append(made)
            parent = made.subject
        }
        if let there = try sameFile(file.name, content, in: parent) {
            return NewAttachment(type: file.type, contentUrl: there, caption: file.caption)
        }
        let put = try record(.upload(parent: parent, name: file.name, content: content, conflict: .fork))
        recorded.append(put)
        return NewAttachment(type: file.type, file: put.subject, caption: file.caption)
    }

    /// Where a file of this name has this content, or will have it; nil where none does.
    private mutating func sameFile(_ name: String, _ content: PendingContent, in parent: LUID) throws -> String? {
        let there = try child(named: (try? FileName.normalized(name)) ?? name, of: parent)
        guard let there, !there.isFolder, there.checksum == content.checksum else { return nil }
        if let revision = there.headRevisionId, revision != SeenContent.unseen {
            return AttachableFile.address(ofRevision: revision)
        }
        // It waits to be sent itself.
        let isMadeOfIt = try LuidTable.content(of: there.luid, in: db) == content.checksum
        return isMadeOfIt ? there.luid.description : nil
    }
}
