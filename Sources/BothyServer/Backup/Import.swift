import BothyContract
import Foundation
import NIOCore

/// Takes a folder of plain files into an account, as if a device had uploaded them: `bothy server import DIR`.
///
/// A file that is there already, as large and of the same time, is left as it is, so an import that was broken off
/// goes on when it is typed again. Other content makes a new revision. Links and special files are left out and named.
package struct Import: Sendable {
    /// The device that the changes name.
    private static let device = "import"
    /// Small files stored at once, so that they share the disk's syncs.
    private static let sideBySide = 16

    private let database: any Database
    private let sessions: UploadSessions
    private let simple: SimpleUploads
    private let stamps: StampSource
    private let notifier: Notifier
    private let files = PlainFiles()

    package struct Report: Codable, Equatable, Sendable {
        package var files = 0
        package var folders = 0
        package var bytes: Int64 = 0
        /// Files that were there already.
        package var unchanged = 0
        package var leftOut = [LeftOut]()
    }

    private enum Outcome: Sendable {
        case stored(Int64)
        case unchanged
        case leftOut(LeftOut)
    }

    private struct Folder: Sendable {
        var path: String
        var id: String
    }

    package init(
        database: any Database, sessions: UploadSessions, simple: SimpleUploads, stamps: StampSource, notifier: Notifier
    ) {
        self.database = database
        self.sessions = sessions
        self.simple = simple
        self.stamps = stamps
        self.notifier = notifier
    }

    /// - Parameters:
    ///   - email: whose files they become.
    ///   - into: a path in the account's drive; its folders are made where they are not there.
    /// - Throws: ``ServerFault`` in words; ``Problem`` such as `quota_exceeded`; ``DatabaseError``, ``PackError``.
    package func run(from path: String, email: String, into: String) async throws -> Report {
        guard let status = try? await files.status(path), status.kind == .folder else {
            throw ServerFault(.missing, "\(path) is not a readable folder. Name a folder of files.")
        }
        let caller = try await caller(email)
        var report = Report()
        var target = File.rootId
        for name in into.pathNames {
            target = try await folder(name, in: target, for: caller, &report)
        }
        var waiting = [Folder(path: path, id: target)]
        while let folder = waiting.popLast() {
            try Task.checkCancellation()
            waiting += try await take(folder, for: caller, &report)
        }
        return report
    }

    private func caller(_ email: String) async throws -> Caller {
        let row = try await database.read { try AccountTable($0).row(emailKey: EmailAddress.key(of: email)) }
        guard let row else {
            throw ServerFault(.missing, "There is no account \(email). “bothy server user list” shows them.")
        }
        return Caller(userId: row.user.id, driveId: row.user.id, deviceId: Self.device)
    }

    /// Takes what lies directly in a folder.
    ///
    /// - Returns: the folders in it.
    private func take(_ folder: Folder, for caller: Caller, _ report: inout Report) async throws -> [Folder] {
        var below = [Folder]()
        var small = [(path: String, name: String, status: PlainFiles.Status)]()
        var taken = Set<String>()
        for name in try await names(in: folder, &report) where try await !isBothys(name, in: folder) {
            let path = folder.path + "/" + name
            do {
                let status = try await files.status(path)
                // Two that only their bytes tell apart would be two versions of one file.
                guard status.kind == .other || taken.insert(name.precomposedStringWithCanonicalMapping).inserted else {
                    report.leftOut.append(
                        LeftOut(path: path, reason: "another has this name in other Unicode characters; rename one"))
                    continue
                }
                switch status.kind {
                case .folder:
                    below.append(
                        Folder(path: path, id: try await self.folder(name, in: folder.id, for: caller, &report)))
                case .file where status.size <= UploadLimits.simpleUploadLimit: small.append((path, name, status))
                case .file: count(try await store(path, name, status, in: folder.id, for: caller), in: &report)
                case .other: report.leftOut.append(LeftOut(path: path, reason: "it is a link or a special file"))
                }
            } catch {
                report.leftOut.append(LeftOut(path: path, reason: try Self.reason(error)))
            }
        }
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for (index, file) in small.enumerated() {
                if index >= Self.sideBySide, let outcome = try await group.next() { count(outcome, in: &report) }
                group.addTask { try await store(file.path, file.name, file.status, in: folder.id, for: caller) }
            }
            for try await outcome in group { count(outcome, in: &report) }
        }
        return below
    }

    /// - Returns: none of a folder that cannot be listed, which is left out.
    private func names(in folder: Folder, _ report: inout Report) async throws -> [String] {
        do { return try await files.names(in: folder.path) } catch {
            report.leftOut.append(LeftOut(path: folder.path, reason: try Self.reason(error)))
            return []
        }
    }

    /// What a synced folder keeps of Bothy's own: its trash, and what it had begun.
    private func isBothys(_ name: String, in folder: Folder) async throws -> Bool {
        guard name == SyncedFolderNames.own else { return false }
        let mark = "\(folder.path)/\(name)/\(SyncedFolderNames.mark)"
        return (try? await files.status(mark).kind) == .file
    }

    private func count(_ outcome: Outcome, in report: inout Report) {
        switch outcome {
        case .stored(let bytes):
            report.files += 1
            report.bytes += bytes
        case .unchanged: report.unchanged += 1
        case .leftOut(let what): report.leftOut.append(what)
        }
    }

    /// What concerns one file is a reason; what concerns them all ends the import.
    private static func reason(_ error: any Error) throws -> String {
        switch error {
        case let problem as Problem where problem.code != .quotaExceeded: problem.detail
        case is POSIXError: PlainFiles.words(error)
        case is ChangedMeanwhile: "it changed while it was read; import it again"
        default: throw error
        }
    }

    /// The folder of that name, made where it is not there.
    private func folder(
        _ name: String, in parent: String, for caller: Caller, _ report: inout Report
    ) async throws -> String {
        let name = try FileName.checked(name)
        let there = try await database.read { try FileTable($0, drive: caller.driveId).child(named: name, of: parent) }
        if let there {
            guard there.isFolder else { throw Problem(.notAFolder, "There is already a file called “\(name)”.") }
            return there.id
        }
        let stamp = stamps.stamp(for: caller)
        let creation = FileCreation(name: name, mimeType: File.folderMimeType, parentId: parent, requestId: nil)
        let change = try await database.write { try creation.perform(in: $0, stamp: stamp) }
        await notifier.wake(driveId: caller.driveId, cursor: change.cursor)
        report.folders += 1
        return change.row.id
    }

    private func store(
        _ path: String, _ name: String, _ status: PlainFiles.Status, in parent: String, for caller: Caller
    ) async throws -> Outcome {
        do {
            let name = try FileName.checked(name)
            let there = try await database.read {
                try FileTable($0, drive: caller.driveId).child(named: name, of: parent)
            }
            if let there, !there.isFolder, there.size == status.size, there.modifiedAt == status.modifiedAt {
                return .unchanged
            }
            let request = UploadRequest(
                requestId: nil, name: name, parentId: parent, size: status.size, modifiedAt: status.modifiedAt,
                executable: status.executable, conflict: .overwrite,
                plan: .fixed(chunkSize: UploadLimits.defaultChunkSize), finalize: .explicit)
            let handle = try await files.open(path)
            if status.size <= UploadLimits.simpleUploadLimit {
                let content = try await handle.read(Int(status.size))
                guard try await handle.isStill(status) else { throw ChangedMeanwhile() }
                let upload = SimpleUpload(request, content: content, identity: .none(for: "import"))
                _ = try await simple.store(upload, for: caller)
            } else {
                try await upload(request, status, from: handle, for: caller)
            }
            return .stored(status.size)
        } catch {
            return .leftOut(LeftOut(path: path, reason: try Self.reason(error)))
        }
    }

    private func upload(
        _ request: UploadRequest, _ status: PlainFiles.Status, from handle: PlainFiles.Handle, for caller: Caller
    ) async throws {
        let size = status.size
        let uploadId = try await sessions.start(request, identity: .none(for: "import"), for: caller).response.uploadId
        do {
            for (index, start) in stride(from: 0, to: size, by: Int(UploadLimits.defaultChunkSize)).enumerated() {
                let length = min(UploadLimits.defaultChunkSize, size - start)
                let body = OneBuffer(try await handle.read(Int(length)))
                let arrival = ChunkArrival(placement: .index(index), digest: nil, length: length)
                _ = try await sessions.receive(arrival, of: uploadId, from: body, for: caller)
            }
            guard try await handle.isStill(status) else { throw ChangedMeanwhile() }
            _ = try await sessions.finalize(uploadId, FinalizeRequest(), for: caller)
        } catch {
            // A file that changed while it was read, or does not fit, leaves nothing behind: a session that is not canceled expires.
            try? await sessions.cancel(uploadId, for: caller)
            throw error
        }
    }
}

/// What was read is no state that the file ever had.
private struct ChangedMeanwhile: Error {}
