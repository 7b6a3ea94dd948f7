import NIOCore

extension FilesystemPackStore {
    /// Beside the packs, and none of them.
    private static let probeName = "probe"

    package func probe() async throws {
        let path = folder + "/" + Self.probeName
        try await blocking { [disk] in
            // A crash may have left one.
            do throws(DiskFailure) { try disk.remove(path) } catch { guard error.isMissing else { throw error } }
            let file = try disk.create(path)
            defer { disk.close(file) }
            _ = try withUnsafeBytes(of: UInt8(0)) { byte throws(DiskFailure) in
                try disk.write(file, [byte], at: 0)
            }
            try disk.sync(file)
            try disk.remove(path)
        }
    }
}
