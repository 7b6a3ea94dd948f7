import BothyClient
import Testing

@testable import BothySync

/// What is taken of a disk that cannot be tried out, as one that is read-only, full, or a person's server mounted as a folder.
@Suite struct UntriedDiskTests {
    private static let known = DiskTraits(spelling: .insensitive, tellsCaseApart: false)
    private static let codes: [FailureCode] = [
        .permissionDenied, .diskFull, .diskFailed, .fileMissing, .destinationFolderMissing, .unexpected,
    ]

    @Test(arguments: [FailureCode.permissionDenied, .diskFull])
    func ofOneThatTakesNothingTheMostCautiousHoldsForThePass(code: FailureCode) throws {
        let traits = try DiskTraits.untried(known: nil, because: ClientFailure(code, "no"))
        #expect(traits == .cautious)
        #expect(
            traits != .exact && !traits.keepsInodes && !traits.tellsBirth && traits.timeGranularity == 2_000_000_000)
    }

    /// An error that passes was written down as what the disk is like.
    @Test(arguments: codes.filter { ![.permissionDenied, .diskFull].contains($0) })
    func anyOtherErrorIsToldAndTheDiskIsTriedOutAgain(code: FailureCode) {
        let failure = #expect(throws: ClientFailure.self) {
            try DiskTraits.untried(known: nil, because: ClientFailure(code, "no"))
        }
        #expect(failure?.code == code)
    }

    @Test(arguments: codes)
    func whatWasKnownGoesOnToHold(code: FailureCode) throws {
        #expect(try DiskTraits.untried(known: Self.known, because: ClientFailure(code, "no")) == Self.known)
    }

    @Test func whoeverStopsThePassIsHeard() {
        #expect(throws: ClientFailure.self) {
            try DiskTraits.untried(known: Self.known, because: ClientFailure(.canceled, "stopped"))
        }
    }
}
