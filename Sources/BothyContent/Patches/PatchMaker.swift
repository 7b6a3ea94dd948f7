import BothyContract
import CHashing

/// Makes patches against a source of which a sketch is known; of which more is copied than whole fragments where its bytes are known, too.
///
/// After the rsync algorithm (Tridgell, «Efficient Algorithms for Sorting and Synchronization», 1999, chapter 3): a rolled hash finds
/// places that may be a known fragment's beginning, and a hash of the fragment's length decides.
public struct PatchMaker: Sendable {
    private let sketch: FragmentSketch
    /// The first fragment with a hash: what repeats is copied from there.
    private var places: [UInt64: Int]
    private var anchors: Set<UInt32>
    /// A bit for each value that the highest 20 bits of an anchor have, so that nearly all places are passed over fast.
    private var marks: [UInt64]

    /// Hashes of fragments that may come to nothing, as often as the target's bytes: content that begins alike all over is not worth more.
    private static let mostVain = 16

    public init(_ sketch: FragmentSketch) {
        self.sketch = sketch
        places = Dictionary(zip(sketch.hashes, sketch.hashes.indices), uniquingKeysWith: { first, _ in first })
        anchors = Set(sketch.anchors)
        marks = [UInt64](repeating: 0, count: 1 << 14)
        for anchor in sketch.anchors { marks[Int(anchor >> 18)] |= 1 << UInt64(anchor >> 12 & 63) }
    }

    /// - Parameters:
    ///   - target: what the patch has to make.
    ///   - source: all bytes that the sketch is of, where they are known.
    /// - Returns: the patch as it goes over the wire, and how many bytes of the target it copies; nil where there is no memory for it.
    public func patch(
        making target: UnsafeRawBufferPointer, from source: UnsafeRawBufferPointer? = nil
    ) -> (body: [UInt8], copied: Int)? {
        var writer = PatchWriter()
        var search = Search(self, target, source)
        var written = 0
        while writer.steps + 3 <= UploadLimits.maximumPatchSteps, let found = search.next(from: written) {
            writer.new(UnsafeRawBufferPointer(rebasing: target[written..<found.target.lowerBound]))
            writer.copy(found.source)
            written = found.target.upperBound
        }
        writer.new(UnsafeRawBufferPointer(rebasing: target[written...]))
        return writer.finish().map { ($0, writer.copied) }
    }

    /// One walk over a target.
    private struct Search {
        private let maker: PatchMaker
        private let target: UnsafeRawBufferPointer
        private let source: UnsafeRawBufferPointer?
        private var vain: Int

        init(_ maker: PatchMaker, _ target: UnsafeRawBufferPointer, _ source: UnsafeRawBufferPointer?) {
            (self.maker, self.target, self.source) = (maker, target, source)
            vain = target.count * PatchMaker.mostVain
        }

        private var size: Int { maker.sketch.fragmentSize }

        /// The next part of the target, from `start` on, that the source has; as long as it is there in one piece.
        mutating func next(from start: Int) -> (target: Range<Int>, source: Range<Int>)? {
            guard let (place, fragment) = find(from: start) else { return nil }
            var last = fragment
            while let known = self.fragment(at: place + (last + 1 - fragment) * size, expected: last + 1) {
                last = known
            }
            let found = place..<(place + (last + 1 - fragment) * size)
            return extended(found, to: fragment * size, noEarlierThan: start)
        }

        /// The first known fragment in the target: where, and which.
        private mutating func find(from start: Int) -> (Int, Int)? {
            let window = FragmentSketch.window
            guard start + size <= target.count else { return nil }
            var hash: UInt64 = 0
            _ = bothy_gear_find(Gear.table, target.baseAddress! + start, window - 1, &hash, 0)
            var taken = start + window - 1
            let end = target.count - size + window
            while taken < end, vain > 0 {
                let count = maker.marks.withUnsafeBufferPointer {
                    bothy_gear_meet(Gear.table, target.baseAddress! + taken, end - taken, &hash, $0.baseAddress!)
                }
                guard count > 0 else { return nil }
                taken += count
                guard maker.anchors.contains(UInt32(hash >> 32)) else { continue }
                if let fragment = fragment(at: taken - window) { return (taken - window, fragment) }
                vain -= size
            }
            return nil
        }

        /// - Parameter expected: the only one that counts, where there is one.
        private func fragment(at place: Int, expected: Int? = nil) -> Int? {
            guard place + size <= target.count else { return nil }
            let bytes = UnsafeRawBufferPointer(rebasing: target[place..<(place + size)])
            let hash = bothy_fragment_hash(bytes.baseAddress, size) & maker.sketch.hashMask
            let known: Int?
            if let expected {
                known = expected < maker.sketch.hashes.count && maker.sketch.hashes[expected] == hash ? expected : nil
            } else {
                known = maker.places[hash]
            }
            guard let known, let source else { return known }
            let there = UnsafeRawBufferPointer(rebasing: source[(known * size)..<((known + 1) * size)])
            return there.elementsEqual(bytes) ? known : nil
        }

        /// What is equal before and behind belongs to it, where the source's bytes are known.
        private func extended(
            _ found: Range<Int>, to place: Int, noEarlierThan start: Int
        ) -> (target: Range<Int>, source: Range<Int>) {
            guard let source else { return (found, place..<(place + found.count)) }
            var (before, behind) = (0, 0)
            let end = place + found.count
            while found.lowerBound - before > start, place - before > 0,
                target[found.lowerBound - before - 1] == source[place - before - 1]
            { before += 1 }
            while found.upperBound + behind < target.count, end + behind < source.count,
                target[found.upperBound + behind] == source[end + behind]
            { behind += 1 }
            return ((found.lowerBound - before)..<(found.upperBound + behind), (place - before)..<(end + behind))
        }
    }
}
