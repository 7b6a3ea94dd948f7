public import BothyContract
import CHashing

/// SHA-256 (FIPS 180-4) of a file and, on the way, of each of its parts, with the bytes looked at once.
///
/// A part and the file around it prepare the same blocks in the same way, and only their states differ. Where the
/// processor has instructions for SHA-256 both states go through a block side by side, which takes little longer than one
/// alone; elsewhere it is two hashers.
public struct TwinHasher: Sendable {
    private var pair: HashPair?
    private var part = SHA256Hasher()
    private var whole = SHA256Hasher()

    /// - Parameter partSize: bytes of every part but the last.
    public init(partSize: Int64) {
        // A part has to begin where a block of the whole does.
        if partSize % Int64(HashPair.block) == 0, bothy_sha256_pair_is_fast() { pair = HashPair() }
    }

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if pair != nil {
            pair?.update(bytes)
        } else {
            part.update(bytes)
            whole.update(bytes)
        }
    }

    /// The hash of what came since the last part ended. What comes now is the next part's.
    public mutating func endPart() -> ContentHash {
        if pair != nil, let hash = pair?.endPart() { return hash }
        defer { part = SHA256Hasher() }
        return part.finish()
    }

    /// The hash of everything so far.
    public func finish() -> ContentHash { pair?.finish() ?? whole.finish() }
}

/// The states of both messages, and the bytes of a block that is not whole yet: the same for both, because a part begins
/// where a block does.
private struct HashPair {
    private var part = Self.initial
    private var whole = Self.initial
    private var partBytes = 0
    private var wholeBytes = 0
    private var tail = [UInt8]()

    /// Bytes.
    static let block = 64
    /// FIPS 180-4, §5.3.3.
    private static let initial: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        precondition(partBytes > 0 || tail.isEmpty, "the last part is followed by no other")
        partBytes += bytes.count
        wholeBytes += bytes.count
        var rest = bytes[...]
        if !tail.isEmpty {
            let missing = rest.prefix(Self.block - tail.count)
            tail += missing
            rest = rest.dropFirst(missing.count)
            guard tail.count == Self.block else { return }
            tail.withUnsafeBytes { Self.mix(&part, &whole, $0) }
            tail.removeAll(keepingCapacity: true)
        }
        let blocks = rest.prefix(rest.count / Self.block * Self.block)
        Self.mix(&part, &whole, UnsafeRawBufferPointer(rebasing: blocks))
        tail += rest.dropFirst(blocks.count)
    }

    mutating func endPart() -> ContentHash {
        let hash = Self.finished(part, tail, count: partBytes)
        part = Self.initial
        partBytes = 0
        return hash
    }

    func finish() -> ContentHash { Self.finished(whole, tail, count: wholeBytes) }

    private static func mix(_ one: inout [UInt32], _ two: inout [UInt32], _ blocks: UnsafeRawBufferPointer) {
        bothy_sha256_pair(&one, &two, blocks.baseAddress, blocks.count / block)
    }

    /// The message's end: a one bit, zeros, and its length in bits (FIPS 180-4, §5.1.1).
    private static func finished(_ state: [UInt32], _ tail: [UInt8], count: Int) -> ContentHash {
        var end = tail + [0x80]
        while end.count % block != block - 8 { end.append(0) }
        withUnsafeBytes(of: UInt64(count * 8).bigEndian) { end += $0 }
        var state = state
        var unused = initial
        end.withUnsafeBytes { mix(&state, &unused, $0) }
        guard let hash = ContentHash(bytes: state.flatMap { word in withUnsafeBytes(of: word.bigEndian, Array.init) })
        else { preconditionFailure("a SHA-256 has 32 bytes") }
        return hash
    }
}
