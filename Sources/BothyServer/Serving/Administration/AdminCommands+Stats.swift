import BothyContract

extension AdminCommands {
    private struct StatsDocument: Encodable {
        var event = "all"
        var accounts, files, folders, revisions, blocks: Int64
        var currentBytes, logicalBytes, uniqueBytes, storedBytes, savedBytes, garbageBytes: Int64
        var attachments, attachedBytes: Int64
        var packs: Int
        var packBytes, freeBytes: Int64
        var pictures: PicturesDocument
    }

    private struct PicturesDocument: Encodable {
        /// Contents that ended programs which draw, and are given to none any more.
        var setAside: Int
        /// Debian packages that some small pictures cannot be made without.
        var missing: [String]
    }

    private struct AccountStatsDocument: Encodable {
        var event = "account"
        var email: String
        var files, folders, revisions, blocks: Int64
        var currentBytes, logicalBytes, uniqueBytes, storedBytes, savedBytes, garbageBytes: Int64
        var attachments, attachedBytes: Int64
    }

    func stats(_ say: Say) async throws {
        var all = StorageFigures()
        var accounts = [(email: String, figures: StorageFigures)]()
        var after: Int64 = 0
        while let page = try await nextAccounts(after: after) {
            for entry in page {
                // A transaction each: many accounts, or a large one, keep no snapshot for long. It reads all rows of
                // a drive.
                let drive = entry.user.id
                let figures = try await services.database.readApart { try StorageTable($0, drive: drive).figures() }
                all += figures
                accounts.append((entry.user.email, figures))
                after = drive
            }
        }
        let pictures = try pictureFigures()
        try await say(
            try Self.line(
                all, accounts: accounts.count, try services.packs.usage(),
                PicturesDocument(setAside: pictures.setAside, missing: pictures.missing)))
        for account in accounts { try await say(try Self.line(account.email, account.figures)) }
    }

    private func nextAccounts(after: Int64) async throws -> [Accounts.Overview]? {
        let page = try await services.accounts.overview(after: after)
        return page.isEmpty ? nil : page
    }

    private static func line(
        _ all: StorageFigures, accounts: Int, _ usage: PackUsage, _ pictures: PicturesDocument
    ) throws -> AdminLine {
        let missing =
            pictures.missing.isEmpty ? "" : "; to install for all of them: \(pictures.missing.joined(separator: " "))"
        let garbage = all.garbageBytes(ofPacks: usage.usedBytes)
        return try AdminLine(
            """
            accounts  \(accounts)
            files     \(all.files) in \(counted(all.folders, "folder")), \(counted(all.versions, "version"))
            logical   \(ByteCount.text(all.logicalBytes)) in all versions, \(ByteCount.text(all.currentBytes)) in the newest ones
            posts     \(ByteCount.text(all.attachedBytes)) in \(counted(all.attachments, "attachment"))
            unique    \(ByteCount.text(all.uniqueBytes)) in \(counted(all.blocks, "block"))
            stored    \(ByteCount.text(all.storedBytes)), \(ByteCount.text(all.savedBytes)) saved by compression
            garbage   \(ByteCount.text(garbage)), \(ByteCount.text(all.waitingBytes)) of it waiting to be freed
            packs     \(usage.packs), \(ByteCount.text(usage.usedBytes))
            disk      \(ByteCount.text(usage.freeBytes)) free
            pictures  \(counted(Int64(pictures.setAside), "file")) set aside\(missing)
            """,
            StatsDocument(
                accounts: Int64(accounts), files: all.files, folders: all.folders, revisions: all.versions,
                blocks: all.blocks, currentBytes: all.currentBytes, logicalBytes: all.logicalBytes,
                uniqueBytes: all.uniqueBytes, storedBytes: all.storedBytes, savedBytes: all.savedBytes,
                garbageBytes: garbage, attachments: all.attachments, attachedBytes: all.attachedBytes,
                packs: usage.packs,
                packBytes: usage.usedBytes, freeBytes: usage.freeBytes, pictures: pictures))
    }

    private static func line(_ email: String, _ its: StorageFigures) throws -> AdminLine {
        try AdminLine(
            """
            \(email)  \(counted(its.files, "file")), \(counted(its.versions, "version")): \
            \(ByteCount.text(its.logicalBytes)) logical, \
            \(ByteCount.text(its.uniqueBytes)) unique, \(ByteCount.text(its.storedBytes)) stored, \
            \(ByteCount.text(its.waitingBytes)) garbage
            """,
            AccountStatsDocument(
                email: email, files: its.files, folders: its.folders, revisions: its.versions, blocks: its.blocks,
                currentBytes: its.currentBytes, logicalBytes: its.logicalBytes, uniqueBytes: its.uniqueBytes,
                storedBytes: its.storedBytes,
                savedBytes: its.savedBytes, garbageBytes: its.waitingBytes, attachments: its.attachments,
                attachedBytes: its.attachedBytes))
    }
}
