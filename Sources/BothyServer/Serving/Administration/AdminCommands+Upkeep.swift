import BothyContract

extension AdminCommands {
    func collectGarbage(_ say: Say) async throws {
        let report = try await services.collection.run()
        try await say(
            "\(report.freedBlocks) blocks were freed, and \(ByteCount.text(report.freedBytes)) given back to the disk. What nobody refers to waits a day before it is freed."
        )
    }

    func verify(_ say: Say) async throws {
        let verification = Verification(database: services.database, packs: services.packs)
        let report = try await verification.run()
        try await say(
            "\(report.blocks) blocks, \(ByteCount.text(report.bytes)), were read and held against their SHA-256.")
        if report.damaged.isEmpty { return }
        for damage in report.damaged {
            try await say("damaged  block \(damage.hash.hex), \(ByteCount.text(damage.size))")
            for file in damage.files {
                try await say(
                    "    \(file.path)\(file.isHead ? "" : ", an earlier revision") (\(file.fileId), revision \(file.revisionId))"
                )
            }
        }
        throw ServerFault(
            .failed,
            "\(report.damaged.count) of the blocks are damaged. Look after the disk; then put the files named above again, or restore a backup."
        )
    }

    func backup(_ folder: String, _ say: Say) async throws {
        let backup = Backup(
            data: services.folder, database: services.database, packs: services.packs, clock: services.clock)
        let report = try await backup.run(to: folder)
        try await say(
            "The backup in \(folder) is whole: the database, and \(report.packs) packs, of which \(ByteCount.text(report.copiedBytes)) were new."
        )
    }

    func export(_ folder: String, _ email: String?, _ say: Say) async throws {
        let report = try await Export(database: services.database, packs: services.packs).run(to: folder, email: email)
        try await say(
            "\(report.files) files, \(ByteCount.text(report.bytes)), and \(report.folders) folders were written to \(folder)."
        )
        try await name(report.leftOut, "exported", say)
    }

    func importFiles(_ folder: String, _ email: String, _ into: String, _ say: Say) async throws {
        let report = try await services.importing.run(from: folder, email: email, into: into)
        try await say(
            "\(report.files) files, \(ByteCount.text(report.bytes)), and \(report.folders) new folders were taken in; \(report.unchanged) files were there already."
        )
        try await name(report.leftOut, "imported", say)
    }

    private func name(_ leftOut: [LeftOut], _ done: String, _ say: Say) async throws {
        if leftOut.isEmpty { return }
        for what in leftOut { try await say("left out  \(what.path): \(what.reason)") }
        throw ServerFault(
            .failed,
            "\(leftOut.count) files or folders could not be \(done). They are named above; everything else was.")
    }
}
