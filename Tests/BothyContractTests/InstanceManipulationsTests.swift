import BothyContract
import Testing

@Suite struct InstanceManipulationsTests {
    @Test func aRangeIsCutBeforeItIsCompressedOrItGoesPlain() {
        for (wishes, range, whole) in [
            ("range, zstd", "range, zstd", "zstd"), ("zstd, range", nil, "zstd"), ("zstd", nil, "zstd"),
            ("range", nil, nil), ("", nil, nil), ("range, ZSTD;q=0.5", "range, zstd", "zstd"),
        ] as [(String, String?, String?)] {
            let wishes = WeightedNames(wishes)
            #expect(InstanceManipulations.answer(to: wishes, isRange: true) == range)
            #expect(InstanceManipulations.answer(to: wishes, isRange: false) == whole)
        }
    }

    @Test func whatWasMadeIsReadAsItWasWritten() {
        #expect(InstanceManipulations.isPackedRange(InstanceManipulations.packedRange))
        #expect(InstanceManipulations.isPackedRange("Range ,zstd"))
        for other in ["zstd", "range", "zstd, range", "range, zstd, gzip", "", "range; zstd"] {
            #expect(!InstanceManipulations.isPackedRange(other), "\(other)")
        }
    }
}
