import Testing

@testable import Simulation

@Suite struct ConflictCopyTests {
    @Test(arguments: [
        ("a (kitchen's conflict 2026-11-20).txt", "a.txt"),
        ("a (1) (kitchen's conflict 2026-11-20).txt", "a (1).txt"),
        // Made beside the one without a number, and no copy of “a (1).txt”, which may be anything.
        ("a (kitchen's conflict 2026-11-20) (1).txt", "a (kitchen's conflict 2026-11-20).txt"),
        (
            "a (kitchen's conflict 2026-11-20) (phone's conflict 2026-11-21).txt",
            "a (kitchen's conflict 2026-11-20).txt"
        ),
    ])
    func aCopyIsOneOfWhatItWasMadeBeside(_ name: String, _ original: String) {
        #expect(ConflictCopy.original(of: name) == original)
    }

    @Test(arguments: ["a.txt", "a (1).txt", "a (kitchen's).txt"])
    func whatIsNone(_ name: String) { #expect(ConflictCopy.original(of: name) == nil) }
}
