import BothyContract

extension AdminCommands {
    func collectGarbage(_ say: Say) async throws {
        let report = try await services.collection.run()
        let freed = report.freedBlocks == 1 ? "1 block was" : "\(report.freedBlocks) blocks were"
        let packs = report.compactedPacks == 1 ? "1 pack was" : "\(report.compactedPacks) packs were"
        let rewritten =
            report.compactedPacks == 0
            ? "" : " \(packs) rewritten, for which \(ByteCount.text(report.movedBytes)) moved."
        try await say(
            AdminLine(
                "\(freed) freed, and \(ByteCount.text(report.freedBytes)) given back to the disk.\(rewritten) Unused data is kept for a day before it is freed.",
                report))
    }

    // MARK: - Checking

    private struct DamageDocument: Encodable {
        var event = "damaged"
        var sha256: ContentHash
        var size: Int64
        /// The file is absent where no file has the block any more.
        var path, fileId, revisionId: String?
        var current: Bool?
        /// A post of the account that shows it.
        var postId: Int64?
    }

    private struct VerifiedDocument: Encodable {
        var event = "summary"
        var blocks: Int
        var bytes: Int64
        var damaged: Int
        /// What SQLite says is wrong with the database.
        var database: [String]
    }

    func verify(_ say: Say) async throws {
        let verification = Verification(database: services.database, packs: services.packs)
        let report = try await verification.run()
        let bytes = ByteCount.text(report.bytes)
        let read =
            report.blocks == 1
            ? "1 block, \(bytes), was verified by SHA-256"
            : "\(report.blocks) blocks, \(bytes), were verified by SHA-256"
        try await say(AdminLine("\(read); the database was checked."))
        for fault in report.databaseFaults { try await say(AdminLine("database  \(fault)")) }
        for damage in report.damaged { try await tell(damage, say) }
        try await tellUndrawn(say)
        try await say(
            AdminLine(
                nil,
                VerifiedDocument(
                    blocks: report.blocks, bytes: report.bytes, damaged: report.damaged.count,
                    database: report.databaseFaults)))
        if !report.databaseFaults.isEmpty {
            throw ServerFault(
                .failed,
                "The database is damaged. Check the disk, and restore a backup: “bothy server restore --help”.")
        }
        if report.damaged.isEmpty { return }
        throw ServerFault(
            .failed,
            "\(report.damaged.count) of the blocks \(report.damaged.count == 1 ? "is" : "are") damaged. Check the disk; then upload the files named above again under other names, which repairs both, or restore a backup."
        )
    }

    private func tell(_ damage: Verification.Damage, _ say: Say) async throws {
        let block = "damaged  block \(damage.hash.hex), \(ByteCount.text(damage.size))"
        guard !damage.files.isEmpty || !damage.posts.isEmpty else {
            return try await say(AdminLine(block, DamageDocument(sha256: damage.hash, size: damage.size)))
        }
        try await say(AdminLine(block))
        for file in damage.files {
            try await say(
                AdminLine(
                    "    \(Self.oneLine(file.path))\(file.isHead ? "" : ", an earlier revision") (\(file.fileId), revision \(file.revisionId))",
                    DamageDocument(
                        sha256: damage.hash, size: damage.size, path: file.path, fileId: file.fileId,
                        revisionId: file.revisionId, current: file.isHead)))
        }
        for post in damage.posts {
            try await say(
                AdminLine(
                    "    attached to the post \(post)",
                    DamageDocument(sha256: damage.hash, size: damage.size, postId: post)))
        }
    }

    // MARK: - Copying

    private struct BackupDocument: Encodable {
        var folder: String
        var packs: Int
        var copiedBytes: Int64
    }

    func backup(_ folder: String, _ say: Say) async throws {
        let backup = Backup(
            data: services.folder, database: services.database, packs: services.packs, writes: services.writes,
            clock: services.clock)
        let report = try await backup.run(to: folder)
        try await say(
            AdminLine(
                "The backup in \(folder) is complete. \(ByteCount.text(report.copiedBytes)) of the packs were new.",
                BackupDocument(folder: folder, packs: report.packs, copiedBytes: report.copiedBytes)))
    }

    private struct PlainFilesDocument: Encodable {
        var event = "summary"
        var files, folders, leftOut: Int
        var bytes: Int64
        /// Files that an import found there already.
        var unchanged: Int?
    }

    func export(_ folder: String, _ email: String?, _ say: Say) async throws {
        let report = try await Export(database: services.database, packs: services.packs).run(to: folder, email: email)
        try await name(report.leftOut, say)
        try await say(
            AdminLine(
                "\(Self.counted(report.files, "file")), \(ByteCount.text(report.bytes)), and \(Self.counted(report.folders, "folder")) were written to \(folder).",
                PlainFilesDocument(
                    files: report.files, folders: report.folders, leftOut: report.leftOut.count, bytes: report.bytes)))
        try Self.refuse(report.leftOut, "exported")
    }

    func importFiles(_ folder: String, _ email: String, _ into: String, _ say: Say) async throws {
        let report = try await services.importing.run(from: folder, email: email, into: into)
        try await name(report.leftOut, say)
        let unchanged = report.unchanged == 1 ? "1 file was" : "\(report.unchanged) files were"
        try await say(
            AdminLine(
                "\(Self.counted(report.files, "file")), \(ByteCount.text(report.bytes)), and \(Self.counted(report.folders, "new folder")) were imported; \(unchanged) already there.",
                PlainFilesDocument(
                    files: report.files, folders: report.folders, leftOut: report.leftOut.count, bytes: report.bytes,
                    unchanged: report.unchanged)))
        try Self.refuse(report.leftOut, "imported")
    }

    private func name(_ leftOut: [LeftOut], _ say: Say) async throws {
        for what in leftOut {
            let document = ["event": "left_out", "path": what.path, "reason": what.reason]
            try await say(AdminLine("left out  \(Self.oneLine(what.path)): \(what.reason)", document))
        }
    }

    private static func refuse(_ leftOut: [LeftOut], _ done: String) throws {
        if leftOut.isEmpty { return }
        let what =
            leftOut.count == 1
            ? "1 file or folder could not be \(done). It is named above"
            : "\(leftOut.count) files or folders could not be \(done). They are named above"
        throw ServerFault(.partly, "\(what); everything else was.")
    }
}
