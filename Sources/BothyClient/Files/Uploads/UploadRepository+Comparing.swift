import BothyContent
import BothyContract

/// What a file holds, as far as it takes to tell whether another file holds the same.
public struct HeldContentFacts: Equatable, Sendable {
    /// Bytes.
    public var size: Int64
    /// SHA-256; nil where nothing is known of it, and for an empty file.
    public var checksum: ContentHash?

    public init(size: Int64, checksum: ContentHash?) {
        self.size = size
        self.checksum = checksum
    }
}

extension UploadRepository {
    /// Bytes that are read at once.
    private static var pieceBytes: Int { 1 << 20 }

    /// Whether a file that is there holds what the chosen one does: then there is nothing to send. It is read only where
    /// both are of the same size.
    ///
    /// - Throws: what ``content(of:)`` and reading the file throw.
    public func isThere(_ file: UploadFile, as item: ItemID) async throws -> Bool {
        let there = try await content(of: item)
        guard there.size == file.size else { return false }
        guard file.size > 0 else { return true }
        guard let checksum = there.checksum else { return false }
        var hasher = SHA256Hasher()
        for start in stride(from: Int64(0), to: file.size, by: Self.pieceBytes) {
            hasher.update(try await file.read(start..<min(start + Int64(Self.pieceBytes), file.size)))
        }
        return hasher.finish() == checksum
    }
}
