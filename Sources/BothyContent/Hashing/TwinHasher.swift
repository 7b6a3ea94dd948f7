public import BothyContract
import CHashing

/// SHA-256 (FIPS 180-4) of a file and, on the way, of each of its parts, with the bytes looked at once.
///
/// A round of SHA-256 waits for the one before it, and leaves the processor time for another message's. Where it has instructions
/// for SHA-256, the part and the file around it go through their blocks side by side, which takes 1.4 times as long as one of them
/// alone; elsewhere it is two hashers.
public struct TwinHasher: Sendable {
    private var pair: HashPair?
    private var part = SHA256Hasher()
    private var whole = SHA256Hasher()

    /// Asked once: the instruction that tells leaves a virtual machine each time, which costs a small file more than its hash.
    private static let hasInstructions = bothy_sha256_pair_is_fast()

    public init() { self.init(sideBySide: Self.hasInstructions) }

    /// - Parameter sideBySide: only where the processor has the instructions; without, tests see on any processor what others do.
    init(sideBySide: Bool) {
        if sideBySide { pair = HashPair() }
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

/// Both messages, taken through their blocks side by side. Their blocks begin at other bytes, unless a part's length happens to
/// be a multiple of a block's.
private struct HashPair {
    private var part = HashedMessage()
    private var whole = HashedMessage()

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let partRest = part.completeTail(from: bytes)
        let wholeRest = whole.completeTail(from: bytes)
        let blocks = min(partRest.count, wholeRest.count) / HashedMessage.block
        bothy_sha256_pair(&part.state, partRest.baseAddress, &whole.state, wholeRest.baseAddress, blocks)
        let mixed = blocks * HashedMessage.block
        part.keepTail(of: UnsafeRawBufferPointer(rebasing: partRest[mixed...]))
        whole.keepTail(of: UnsafeRawBufferPointer(rebasing: wholeRest[mixed...]))
    }

    mutating func endPart() -> ContentHash {
        defer { part = HashedMessage() }
        return part.finish()
    }

    func finish() -> ContentHash { whole.finish() }
}

/// One message's state, and the bytes of a block that is not whole yet.
private struct HashedMessage {
    var state = Self.initial
    private var count = 0
    private var tail = [UInt8]()

    /// Bytes.
    static let block = 64
    /// FIPS 180-4, §5.3.3.
    private static let initial: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    /// Counts all of `bytes`, and takes in as many as the block lacks that is not whole.
    ///
    /// - Returns: the others, to be mixed or kept.
    mutating func completeTail(from bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        count += bytes.count
        guard !tail.isEmpty else { return bytes }
        let missing = min(Self.block - tail.count, bytes.count)
        tail += bytes[..<missing]
        if tail.count == Self.block {
            tail.withUnsafeBytes { Self.mix(&state, $0) }
            tail.removeAll(keepingCapacity: true)
        }
        return UnsafeRawBufferPointer(rebasing: bytes[missing...])
    }

    /// Mixes what whole blocks `rest` still has, and keeps what is left.
    mutating func keepTail(of rest: UnsafeRawBufferPointer) {
        let blocks = rest[..<(rest.count / Self.block * Self.block)]
        Self.mix(&state, UnsafeRawBufferPointer(rebasing: blocks))
        tail += rest[blocks.count...]
    }

    /// The message's end: a one bit, zeros, and its length in bits (FIPS 180-4, §5.1.1).
    func finish() -> ContentHash {
        var end = tail + [0x80]
        while end.count % Self.block != Self.block - 8 { end.append(0) }
        withUnsafeBytes(of: UInt64(count * 8).bigEndian) { end += $0 }
        var state = state
        end.withUnsafeBytes { Self.mix(&state, $0) }
        guard let hash = ContentHash(bytes: state.flatMap { word in withUnsafeBytes(of: word.bigEndian, Array.init) })
        else { preconditionFailure("a SHA-256 has 32 bytes") }
        return hash
    }

    /// One message alone; the other's state is nobody's.
    private static func mix(_ state: inout [UInt32], _ blocks: UnsafeRawBufferPointer) {
        guard !blocks.isEmpty else { return }
        var unused = initial
        bothy_sha256_pair(&state, blocks.baseAddress, &unused, blocks.baseAddress, blocks.count / block)
    }
}
