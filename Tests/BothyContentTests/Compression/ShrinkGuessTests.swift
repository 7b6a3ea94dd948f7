import BothyContent
import Testing

/// What shrinks is told from what does not, by few of its bytes.
@Suite struct ShrinkGuessTests {
    private func isHopeful(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { ShrinkGuess.isHopeful($0) } }

    private func noise(_ count: Int) -> [UInt8] {
        var state: UInt64 = 9
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    @Test(arguments: [1_000, 49_152, 49_153, 400_000]) func textIsHopefulAndNoiseIsNot(count: Int) {
        #expect(isHopeful((0..<count).map { UInt8(97 + $0 % 23) }))
        #expect(!isHopeful(noise(count)))
    }

    @Test func whatShrinksInOneOfItsPlacesAloneIsJudgedByAllThree() {
        let text = [UInt8](repeating: 32, count: 100_000)
        #expect(isHopeful(noise(100_000) + text), "its end shrinks")
        #expect(!isHopeful(noise(400_000) + text.prefix(1_000)))
    }

    @Test func nothingIsNotHopeful() { #expect(!isHopeful([])) }

    @Test(arguments: [0, 1, 49_152, 49_153, 1 << 20]) func samplesLieInWhatTheyAreOf(length: Int) {
        let samples = ShrinkGuess.samples(of: length)
        #expect(samples.first?.lowerBound == 0 && samples.last?.upperBound == length)
        #expect(samples.reduce(0) { $0 + $1.count } <= 3 * ShrinkGuess.sampleBytes)
    }
}
