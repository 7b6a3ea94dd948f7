public import BothyContract
import Crypto

/// SHA-256 of bytes that come piece by piece. A value: a copy continues on its own, so that a hash may be asked for
/// midway.
public struct SHA256Hasher: Sendable {
    private var state = SHA256()
    /// How many bytes went in.
    public private(set) var byteCount: Int64 = 0

    public init() {}

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        state.update(bufferPointer: bytes)
        byteCount += Int64(bytes.count)
    }

    public mutating func update(_ bytes: some Collection<UInt8>) {
        if bytes.withContiguousStorageIfAvailable({ update(UnsafeRawBufferPointer($0)) }) == nil {
            Array(bytes).withUnsafeBytes { update($0) }
        }
    }

    /// The hash of everything so far.
    public func finish() -> ContentHash {
        guard let hash = ContentHash(bytes: Array(state.finalize())) else {
            preconditionFailure("a SHA-256 has 32 bytes")
        }
        return hash
    }

    public static func hash(_ bytes: some Collection<UInt8>) -> ContentHash {
        var hasher = SHA256Hasher()
        hasher.update(bytes)
        return hasher.finish()
    }

    public static func hash(_ bytes: UnsafeRawBufferPointer) -> ContentHash {
        var hasher = SHA256Hasher()
        hasher.update(bytes)
        return hasher.finish()
    }
}
