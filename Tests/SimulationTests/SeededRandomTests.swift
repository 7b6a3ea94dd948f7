import Simulation
import Testing

@Suite struct SeededRandomTests {
    @Test func oneSeedIsOneSequence() {
        var first = SeededRandom(7)
        var second = SeededRandom(7)
        #expect((0..<100).allSatisfy { _ in first.next() == second.next() })
    }
}
