/// The room on the disk that is kept for deleting, signing in and the server's own jobs.
package struct DiskReserve: Sendable {
    private let minimum: Int64
    private let freeBytes: @Sendable () throws -> Int64

    /// - Parameters:
    ///   - minimum: bytes of the reserve; 0 for none.
    ///   - freeBytes: how much is free on the disk.
    package init(of minimum: Int64, freeBytes: @escaping @Sendable () throws -> Int64) {
        self.minimum = minimum
        self.freeBytes = freeBytes
    }

    package static let none = DiskReserve(of: 0) { .max }

    /// Whether others may write.
    ///
    /// What was deleted leaves room in the database's file, which new rows take before the file grows, so it counts for up to half of the
    /// reserve. A disk that cannot be asked is reported by the next write to it.
    ///
    /// - Parameter reusable: bytes in the database's file that new rows may take.
    package func isWhole(counting reusable: () throws -> Int64 = { 0 }) -> Bool {
        guard minimum > 0 else { return true }
        do {
            let free = try freeBytes()
            if free >= minimum { return true }
            guard free >= minimum / 2 else { return false }
            return free + (try reusable()) >= minimum
        } catch {
            return true
        }
    }
}
