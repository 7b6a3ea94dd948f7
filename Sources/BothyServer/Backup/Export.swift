import BothyContent
import BothyContract
import Foundation

/// Writes accounts' files out as plain files: `bothy server export DIR`.
///
/// Each account has a folder; what is in the trash, and earlier revisions, stay behind. What posts show of files that were deleted for good
/// is in a folder of its own. Each file is held against its
/// SHA-256 as it is written: one that is damaged is left out and named, not written wrong.
package struct Export: Sendable {
    /// Children of a folder asked of the database at once.
    private static let batch = 500

    private let database: any Database
    private let reader: ContentReader
    private let files = PlainFiles()

    package struct Report: Codable, Equatable, Sendable {
        package var files = 0
        package var folders = 0
        package var bytes: Int64 = 0
        package var leftOut = [LeftOut]()
    }

    private struct Folder: Sendable {
        var id: String
        var path: String
    }

    package init(database: any Database, packs: any PackStore) {
        self.database = database
        reader = ContentReader(database: database, packs: packs)
    }

    /// - Parameters:
    ///   - path: a folder that is empty or not there yet.
    ///   - email: one account's files; everyone's where nil.
    /// - Throws: ``ServerFault`` in words; ``DatabaseError``, ``PackError``.
    package func run(to path: String, email: String?) async throws -> Report {
        let accounts = try await accounts(email)
        try await prepare(path)
        var report = Report()
        var taken = Set<String>()
        for account in accounts {
            var name = account.email.replacing("/", with: "_")
            // Two addresses may differ in that sign alone, or in their case where the disk knows none.
            if !taken.insert(name.lowercased()).inserted { name += " (\(account.id))" }
            try await files.makeFolder("\(path)/\(name)")
            try await export(drive: account.id, to: "\(path)/\(name)", &report)
            try await exportPosted(by: account.id, to: "\(path)/\(name)", &report)
        }
        return report
    }

    private func accounts(_ email: String?) async throws -> [User] {
        try await database.read { db in
            let table = AccountTable(db)
            guard let email else {
                var all = [User]()
                while case let page = try table.rows(after: all.last?.id ?? 0, limit: Self.batch), !page.isEmpty {
                    all += page.map(\.user)
                }
                return all
            }
            guard let row = try table.row(emailKey: EmailAddress.key(of: email)) else {
                throw ServerFault(.missing, "There is no account \(email). “bothy server user list” shows them.")
            }
            return [row.user]
        }
    }

    private func prepare(_ path: String) async throws {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            guard try await files.names(in: path).isEmpty else {
                throw ServerFault(
                    .occupied, "\(path) is not empty. Name an empty folder, or one that does not exist yet.")
            }
        } catch let fault as ServerFault {
            throw fault
        } catch {
            throw ServerFault(.folder, "The folder \(path) cannot be created: \(error.localizedDescription)")
        }
    }

    private func export(drive: Int64, to path: String, _ report: inout Report) async throws {
        var waiting = [Folder(id: File.rootId, path: path)]
        while let folder = waiting.popLast() {
            var place: FolderListing.Position?
            repeat {
                try Task.checkCancellation()
                let listing = FolderListing(parentId: folder.id, order: .name, limit: Self.batch, after: place)
                guard let page = try await page(listing, drive: drive) else { break }
                for row in page.rows {
                    let target = folder.path + "/" + row.name
                    if try await export(row, drive: drive, to: target, &report), row.isFolder {
                        waiting.append(Folder(id: row.id, path: target))
                    }
                }
                place = page.next
            } while place != nil
        }
    }

    /// - Returns: nil for a folder that went while others were written.
    private func page(_ listing: FolderListing, drive: Int64) async throws -> FolderListing.Page? {
        do {
            return try await database.read { try listing.page(in: $0, drive: drive) }
        } catch let problem as Problem where problem.code == .notFound {
            return nil
        }
    }

    /// What posts show whose files were deleted for good.
    private func exportPosted(by author: Int64, to path: String, _ report: inout Report) async throws {
        var (last, folder) = (Int64.min, String?.none)
        while true {
            try Task.checkCancellation()
            let after = last
            let page = try await database.read {
                try AttachmentTable($0, of: author).ofDeletedFiles(after: after, limit: Self.batch)
            }
            for content in page {
                last = content.contentId
                let made = if let folder { folder } else { try await makeFree("\(path)/\(Self.posted)", &report) }
                folder = made
                let ending = content.name.split(separator: ".").dropFirst().last.map { ".\($0)" } ?? ""
                _ = try await leavingOut("\(made)/\(content.contentId)\(ending)", &report) { target, report in
                    try await write(content, to: target)
                    report.files += 1
                    report.bytes += content.size
                }
            }
            if page.count < Self.batch { return }
        }
    }

    private static let posted = "From posts"

    /// Makes a folder under a name that no file of the account has taken.
    private func makeFree(_ path: String, _ report: inout Report) async throws -> String {
        var (target, number) = (path, 1)
        while true {
            do {
                try await files.makeFolder(target)
                report.folders += 1
                return target
            } catch let error as POSIXError where error.code == .EEXIST {
                number += 1
                target = "\(path) (\(number))"
            }
        }
    }

    /// - Returns: whether it was written.
    private func export(_ row: FileRow, drive: Int64, to path: String, _ report: inout Report) async throws -> Bool {
        try await leavingOut(path, &report) { path, report in
            if row.isFolder {
                try await files.makeFolder(path)
                report.folders += 1
            } else {
                try await write(row, drive: drive, to: path)
                report.files += 1
                report.bytes += row.size
            }
        }
    }

    /// Writes one thing; where that fails for reasons of its own, it is left out and named.
    ///
    /// - Returns: whether it was written.
    private func leavingOut(
        _ path: String, _ report: inout Report, _ write: (String, inout Report) async throws -> Void
    ) async throws -> Bool {
        do {
            try await write(path, &report)
            return true
        } catch let error as POSIXError where error.code == .ENOSPC || error.code == .EDQUOT {
            throw ServerFault(.failed, "The disk of \(path) is full. Empty the folder, free space, and export again.")
        } catch  where error is POSIXError || error is PackError || error is Problem {
            report.leftOut.append(LeftOut(path: path, reason: PlainFiles.words(error)))
            return false
        }
    }

    private func write(_ row: FileRow, drive: Int64, to path: String) async throws {
        let handle = try await files.create(path, executable: row.executable)
        do {
            if let revision = row.headRevisionId { try await copy(revision, drive: drive, to: handle) }
            try await handle.setModified(row.modifiedAt)
        } catch {
            try await files.remove(path)
            throw error
        }
    }

    private func write(_ content: StoredContent, to path: String) async throws {
        let handle = try await files.create(path, executable: false)
        do {
            try await copy(content, to: handle)
        } catch {
            try await files.remove(path)
            throw error
        }
    }

    private func copy(_ revisionId: String, drive: Int64, to handle: PlainFiles.Handle) async throws {
        let content = try await database.read { try StoredContent.find(revisionId: revisionId, in: $0, drive: drive) }
        try await copy(content, to: handle)
    }

    private func copy(_ content: StoredContent, to handle: PlainFiles.Handle) async throws {
        var hasher = SHA256Hasher()
        let opened = try await reader.open(content, range: 0..<content.size)
        try await reader.send(opened) { bytes in
            hasher.update(bytes)
            try await handle.write(bytes)
        }
        guard hasher.finish() == content.checksum else {
            throw PackError.failed("its content does not match its SHA-256")
        }
    }
}
