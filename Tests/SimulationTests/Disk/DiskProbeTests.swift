import BothyClient
import BothyContract
import BothySync
import Simulation
import Testing

/// What a disk makes of names is found out by trying it.
@Suite struct DiskProbeTests {
    private func disk(_ naming: DiskNature.Naming) throws -> SimulatedDisk {
        let model = DiskModel(nature: DiskNature(naming: naming), now: Timestamp(seconds: 1_795_000_000))
        let disk = SimulatedDisk(model: model, place: "/simulated/anna/", around: Calm())
        try disk.claim(mark: "mark")
        return disk
    }

    @Test(arguments: [
        (DiskNature.Naming.exact, DiskTraits.exact),
        (.caseInsensitive, DiskTraits(spelling: .insensitive, tellsCaseApart: false)),
        (.decomposing, DiskTraits(spelling: .decomposed)),
    ])
    func aDiskIsKnownByWhatItDoes(_ naming: DiskNature.Naming, _ traits: DiskTraits) throws {
        #expect(try DiskProbe.traits(of: disk(naming)) == traits)
    }

    @Test func aStickIsKnownByAllThatItCannotTell() throws {
        let model = DiskModel(nature: .stick, now: Timestamp(seconds: 1_795_000_000))
        let disk = SimulatedDisk(model: model, place: "/simulated/anna/", around: Calm())
        try disk.claim(mark: "mark")
        let traits = DiskTraits(
            spelling: .insensitive, tellsCaseApart: false, keepsExecutable: false, timeGranularity: 2_000_000_000,
            keepsInodes: false, tellsBirth: false)
        #expect(try DiskProbe.traits(of: disk) == traits)
    }

    /// One error was written down as a trait for good: names were changed on a disk that could hold them all.
    @Test func aTryThatFailsSaysNothingOfTheDisk() throws {
        let failing = Failing()
        let model = DiskModel(nature: DiskNature(), now: Timestamp(seconds: 1_795_000_000))
        let disk = SimulatedDisk(model: model, place: "/simulated/anna/", around: failing)
        try disk.claim(mark: "mark")
        var failures = 0
        for turn in 1... {
            (failing.calls, failing.turn) = (0, turn)
            do throws(ClientFailure) {
                #expect(try DiskProbe.traits(of: disk) == .exact)
                break
            } catch {
                #expect(error.code == .diskFailed)
                failures += 1
            }
        }
        #expect(failures > 15, "each try was made to fail")
    }

    @Test func nothingIsLeftBehind() throws {
        let disk = try disk(.caseInsensitive)
        _ = try DiskProbe.traits(of: disk)
        #expect(try disk.staged().isEmpty && disk.personsPaths.isEmpty)
    }
}

/// Nobody else is at work.
private final class Calm: AroundDisk {
    func beforeCall() throws(ClientFailure) {}
    func afterCall() throws(ClientFailure) {}
}

/// The disk fails once, in one of the calls.
private final class Failing: AroundDisk, @unchecked Sendable {
    var calls = 0
    /// Which call fails; none where it is 0.
    var turn = 0

    func beforeCall() throws(ClientFailure) {
        calls += 1
        if calls == turn { throw ClientFailure(.diskFailed, "no") }
    }

    func afterCall() throws(ClientFailure) {}
}
