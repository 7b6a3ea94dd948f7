extension FilesystemPackStore {
    package func unsettled(in folder: String) async throws -> [Int64] {
        let copier = PackCopier(disk: disk, target: folder)
        return try await blocking { [disk] in
            try disk.makeDirectory(folder)
            return try copier.unsettled()
        }
    }

    package func copy(
        to folder: String, settledBefore mark: ReclaimMark, living: [Int64: [Range<Int64>]]
    ) async throws -> PackCopy {
        try await makeDurable()
        let copier = PackCopier(disk: disk, target: folder)
        let known = try await blocking { try copier.complete() }
        var complete = [Int64: Int64]()
        var copied: Int64 = 0
        for pack in try await listPacks() {
            try Task.checkCancellation()
            copied += try await blocking { [packs] in
                try copier.copy(try packs.file(pack), from: known[pack] ?? 0, living: living[pack] ?? [])
            }
            complete[pack] = pack < mark.pack ? .max : pack == mark.pack ? mark.offset : 0
        }
        let list = complete
        try await blocking { try copier.remember(list) }
        let there = try await blocking { [disk] in try disk.list(copier.target) }
        let obsolete = there.compactMap(PackFormat.pack(ofFileName:)).filter { list[$0] == nil }
        return PackCopy(packs: list.count, copiedBytes: copied, obsolete: obsolete.map(copier.path))
    }

    /// Copies packs that nobody writes to, into a folder that has none.
    ///
    /// - Returns: bytes copied. Blocks.
    package static func copy(
        from folder: String, to target: String, disk: any DiskOperations = LocalDisk()
    ) throws -> Int64 {
        let copier = PackCopier(disk: disk, target: target)
        try disk.makeDirectory(target)
        var copied: Int64 = 0
        for pack in try disk.list(folder).compactMap(PackFormat.pack(ofFileName:)).sorted() {
            let path = folder + "/" + PackFormat.fileName(pack)
            let source = PackFile(pack: pack, path: path, descriptor: try disk.openForReading(path), disk: disk)
            copied += try copier.copy(source, from: 0)
        }
        try disk.syncDirectory(target)
        return copied
    }
}
