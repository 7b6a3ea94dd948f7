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
