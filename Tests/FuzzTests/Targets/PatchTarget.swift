import BothyContent
import BothyContract

extension FuzzTarget {
    /// A patch of 3,000 bytes, as a device or a server gives it. The first byte says what the rest is: the frame, what the frame holds,
    /// or what a patch is to be made for, which has to come out of it again.
    static let patches = FuzzTarget("patches", words: ["\u{28}", "\u{1}\u{1}", "\u{10}"]) { input in
        guard let kind = input.first else { return }
        let rest = Array(input.dropFirst())
        switch kind % 3 {
        case 0: for size in [0, 100, 3_000, 70_000] { _ = try FuzzTarget.made(by: rest, targetSize: size) }
        case 1:
            guard rest.count <= 40_000, let frame = rest.withUnsafeBytes({ Zstd.compress($0) }) else { return }
            var steps = TriedSteps(rest)
            let wanted = steps.target()
            for size in Set([0, 100, 3_000, wanted?.count ?? 70_000]) {
                try require(
                    FuzzTarget.made(by: frame, targetSize: size) == (size == wanted?.count ? wanted : nil),
                    "\(size) bytes: other bytes come out")
            }
        default:
            let maker = PatchMaker(FuzzTarget.source.withUnsafeBytes { FragmentSketch(of: $0, fragmentSize: 64) })
            for known in [true, false] {
                let patch = rest.withUnsafeBytes { target in
                    FuzzTarget.source.withUnsafeBytes { maker.patch(making: target, from: known ? $0 : nil) }
                }
                try require(
                    patch.map { try FuzzTarget.made(by: $0.body, targetSize: rest.count) == rest } ?? true,
                    "what was made for \(rest.count) bytes makes others")
            }
        }
    }

    /// Some of it more than once, and the seeds have parts of it.
    fileprivate static let source = (0..<3_000).map { UInt8(truncatingIfNeeded: ($0 % 700 * 97) >> 3) }

    /// - Returns: nil where it is refused.
    private static func made(by frame: [UInt8], targetSize: Int) throws -> [UInt8]? {
        let patch: Patch
        do {
            patch = try frame.withUnsafeBytes {
                try Patch($0, targetSize: targetSize, sourceSize: Int64(FuzzTarget.source.count))
            }
        } catch is PatchFault {
            return nil
        }
        let target = FuzzTarget.source.withUnsafeBytes { patch.applied(to: $0) }
        try require(target.count == targetSize, "\(target.count) bytes come out where \(targetSize) were asked for")
        return target
    }
}

/// The steps of a frame told anew, byte by byte, to hold the parser against.
private struct TriedSteps {
    private var rest: ArraySlice<UInt8>
    private static let most = 100_000

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// - Returns: nil where it has to be refused, or where more comes out than is tried.
    mutating func target() -> [UInt8]? {
        var (target, steps) = ([UInt8](), 0)
        while !rest.isEmpty {
            guard let head = number(), head > 1, head >> 1 <= Self.most, steps < UploadLimits.maximumPatchSteps else {
                return nil
            }
            let count = Int(head >> 1)
            if head & 1 == 0 {
                guard count <= rest.count else { return nil }
                target += rest.prefix(count)
                rest = rest.dropFirst(count)
            } else {
                guard let offset = number(), offset <= FuzzTarget.source.count,
                    Int(offset) + count <= FuzzTarget.source.count
                else { return nil }
                target += FuzzTarget.source[Int(offset)..<(Int(offset) + count)]
            }
            guard target.count <= Self.most else { return nil }
            steps += 1
        }
        return target
    }

    private mutating func number() -> UInt64? {
        var value: UInt64 = 0
        for place in 0..<9 {
            guard let byte = rest.popFirst() else { return nil }
            value |= UInt64(byte & 0x7f) << UInt64(7 * place)
            if byte < 0x80 { return value }
        }
        return nil
    }
}
