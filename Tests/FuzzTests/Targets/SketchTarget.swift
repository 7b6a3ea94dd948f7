import BothyContent
import BothyContract

extension FuzzTarget {
    /// A sketch as a server gives it, and what a device makes by it: whatever it says, a patch copies what the sketch is of and makes as many bytes as
    /// it should.
    static let sketches = FuzzTarget("sketches", words: ["\0\0\u{1}\0", "\0\0\u{2}\0"]) { input in
        guard let sketch = FragmentSketch(wire: input) else { return }
        try require(
            sketch.wire == input, "a sketch of \(sketch.hashes.count) fragments is another one when it is written again"
        )
        try require(
            SketchFormat.fragmentSizes.contains(sketch.fragmentSize), "fragments of \(sketch.fragmentSize) bytes")
        let size = Int64(sketch.fragmentSize * sketch.hashes.count)
        let target = FuzzTarget.edited
        let patch = target.withUnsafeBytes { PatchMaker(sketch).patch(making: $0) }
        try require(patch != nil, "there is no patch")
        guard let patch else { return }
        do {
            _ = try patch.body.withUnsafeBytes { try Patch($0, targetSize: target.count, sourceSize: size) }
        } catch {
            throw FuzzFinding("what was made by it is no patch: \(error)")
        }
    }

    /// The seed `whole` is the sketch of it; `edited` that of the same with some bytes inserted.
    private static let edited = (0..<2_000).map { UInt8(truncatingIfNeeded: ($0 * $0) >> 4) }
}
