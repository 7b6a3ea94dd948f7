import BothyContract

/// How bytes are made from others, the *source*: ranges of it, and what is new, in order.
///
/// On the wire it is one zstd frame (RFC 8878). What that holds is a row of steps, each of which begins with a number `n`:
/// - even: `n / 2` new bytes follow;
/// - odd: `(n - 1) / 2` bytes of the source, from an offset on that follows as another number.
///
/// Numbers have seven bits in each byte, the lowest first; each byte but the last of a number has the highest bit set (LEB128).
public struct Patch: Equatable, Sendable {
    public enum Step: Equatable, Sendable {
        /// Bytes of the source.
        case copy(Range<Int64>)
        /// Bytes of ``payload``.
        case new(Range<Int>)
    }

    /// What the frame held.
    public let payload: [UInt8]
    public let steps: [Step]

    /// Reads a patch that somebody sent.
    ///
    /// - Parameters:
    ///   - targetSize: bytes that have to come out, exactly.
    ///   - sourceSize: bytes of the source.
    /// - Throws: ``PatchFault``, before more memory was asked for than a patch of this target can need.
    public init(_ body: UnsafeRawBufferPointer, targetSize: Int, sourceSize: Int64) throws(PatchFault) {
        let most = targetSize + Self.mostBytesOfSteps
        guard let payload = Zstd.decompress(body, upTo: most) else { throw .unreadable }
        var reader = PatchReader(payload)
        var steps = [Step]()
        var made = 0
        while let step = try reader.next() {
            guard steps.count < UploadLimits.maximumPatchSteps else { throw .tooManySteps }
            switch step {
            case .copy(let range):
                guard range.upperBound <= sourceSize else { throw .copyOutOfRange }
                made += range.count
            case .new(let range): made += range.count
            }
            guard made <= targetSize else { throw .wrongLength }
            steps.append(step)
        }
        guard made == targetSize else { throw .wrongLength }
        self.payload = payload
        self.steps = steps
    }

    /// What comes out.
    ///
    /// - Precondition: `source` has as many bytes as the patch was read for.
    public func applied(to source: UnsafeRawBufferPointer) -> [UInt8] {
        var target = [UInt8]()
        for step in steps {
            switch step {
            case .copy(let range):
                let bytes = source[Int(range.lowerBound)..<Int(range.upperBound)]
                target.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes))
            case .new(let range): target += payload[range]
            }
        }
        return target
    }

    /// A step is two numbers at the most, of which a range of the largest file takes eleven bytes.
    private static let mostBytesOfSteps = UploadLimits.maximumPatchSteps * 12
}

/// Why bytes are no patch for a target.
public enum PatchFault: Error, Equatable, Sendable {
    /// No zstd frame, one that holds far more than the target, or one that ends within a step.
    case unreadable
    /// More than ``UploadLimits/maximumPatchSteps``.
    case tooManySteps
    /// A copy of nothing, or of what the source does not have.
    case copyOutOfRange
    /// More or less comes out than should.
    case wrongLength

    /// A whole sentence: its reader knows which patch is meant.
    public var words: String {
        switch self {
        case .unreadable: "The body is no patch for so many bytes."
        case .tooManySteps: "The patch has more than \(UploadLimits.maximumPatchSteps) steps."
        case .copyOutOfRange: "The patch copies bytes that its base does not have."
        case .wrongLength: "The patch makes more or fewer bytes than the range has."
        }
    }
}

/// The steps of a frame, one after the other.
private struct PatchReader {
    private let payload: [UInt8]
    private var place = 0

    init(_ payload: [UInt8]) { self.payload = payload }

    mutating func next() throws(PatchFault) -> Patch.Step? {
        guard place < payload.count else { return nil }
        let head = try number()
        let count = head >> 1
        guard count > 0, count <= UInt64(UploadLimits.maximumFileSize) else { throw .wrongLength }
        if head & 1 == 1 {
            let offset = try number()
            guard offset <= UInt64(UploadLimits.maximumFileSize) else { throw .copyOutOfRange }
            return .copy(Int64(offset)..<Int64(offset + count))
        }
        guard count <= UInt64(payload.count - place) else { throw .unreadable }
        defer { place += Int(count) }
        return .new(place..<(place + Int(count)))
    }

    private mutating func number() throws(PatchFault) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 63, by: 7) {
            guard place < payload.count else { throw .unreadable }
            let byte = payload[place]
            place += 1
            value |= UInt64(byte & 0x7f) << UInt64(shift)
            if byte & 0x80 == 0 { return value }
        }
        throw .unreadable
    }
}

/// Writes steps as they go over the wire.
struct PatchWriter {
    private var payload = [UInt8]()
    private(set) var steps = 0
    /// Bytes of the target that are copied.
    private(set) var copied = 0

    mutating func new(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        number(UInt64(bytes.count) << 1)
        payload.append(contentsOf: bytes)
        steps += 1
    }

    mutating func copy(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        number(UInt64(range.count) << 1 | 1)
        number(UInt64(range.lowerBound))
        steps += 1
        copied += range.count
    }

    func finish() -> [UInt8]? { payload.withUnsafeBytes { Zstd.compress($0, isChecked: true) } }

    private mutating func number(_ value: UInt64) {
        var rest = value
        while rest > 0x7f {
            payload.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        payload.append(UInt8(rest))
    }
}
