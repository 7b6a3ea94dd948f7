import BothySync
import Foundation
import Testing

/// Every law on many cases: `BOTHY_CASES` says how many.
@Suite struct PlannerPropertyTests {
    static let count = ProcessInfo.processInfo.environment["BOTHY_CASES"].flatMap(UInt64.init) ?? 6_000
    static let first = ProcessInfo.processInfo.environment["BOTHY_SEED"].flatMap(UInt64.init) ?? 0

    @Test func bothSidesMeetWhateverPeopleDid() {
        for seed in Self.first..<Self.first + Self.count {
            let planned = PlannedCase(seed: seed)
            guard let broken = Self.failure(of: planned) else { continue }
            let small = Self.shrunk(planned)
            Issue.record(
                "seed \(seed): \(broken)\nshrunk to:\n\(small)\n\(Self.failure(of: small).map { "\($0)" } ?? "")")
            return
        }
    }

    /// Seeds at which a law was broken once: a folder between two moves; a version that meets a file that was made anew there;
    /// a version that is set aside with the content of a file that was deleted; a folder in a new one of its name, where a disk
    /// does not know when it was made.
    @Test(arguments: [90_345_473, 90_977_409, 200_400_154, 1_796_102_123] as [UInt64])
    func whatWasBrokenOnceHolds(seed: UInt64) {
        #expect(Self.failure(of: PlannedCase(seed: seed)).map { "\($0)" } == nil)
    }

    /// A file that its person had edited and others deleted makes way for a folder, on a disk that takes both names for one.
    @Test func whatWasBrokenOnceHoldsOnADiskThatFoldsNames() {
        let planned = PlannedCase(seed: 200_074_100, disk: DiskTraits(tellsCaseApart: false))
        #expect(Self.failure(of: planned).map { "\($0)" } == nil)
    }

    /// A tenth of the cases each, on disks that take several names for one.
    @Test(arguments: [DiskTraits(tellsCaseApart: false), DiskTraits(spelling: .insensitive, tellsCaseApart: false)])
    func bothSidesMeetOnADiskThatFoldsNames(_ disk: DiskTraits) {
        for seed in Self.first..<Self.first + Self.count / 10 {
            let planned = PlannedCase(seed: seed, disk: disk)
            guard let broken = Self.failure(of: planned) else { continue }
            let small = Self.shrunk(planned)
            Issue.record("seed \(seed): \(broken)\n\(small)\n\(Self.failure(of: small).map { "\($0)" } ?? "")")
            return
        }
    }

    @Test func whatIsInTheWayHoldsThingsUpAndLosesNothing() {
        for seed in Self.first..<Self.first + Self.count {
            let planned = PlannedCase(seed: seed, hasLinks: true)
            guard let broken = Self.failure(of: planned, PlannerLaws.checkWithLinks) else { continue }
            let small = Self.shrunk(planned, PlannerLaws.checkWithLinks)
            let failure = Self.failure(of: small, PlannerLaws.checkWithLinks).map { "\($0)" } ?? ""
            Issue.record("seed \(seed): \(broken)\nshrunk to:\n\(small)\n\(failure)")
            return
        }
    }

    /// Both edited and renamed it, each alike: its new name is agreed on while the question waits.
    @Test func whatWasBrokenOnceHoldsAlsoWithSomethingInTheWay() {
        let planned = PlannedCase(seed: 5_061_892, hasLinks: true)
        #expect(Self.failure(of: planned, PlannerLaws.checkWithLinks).map { "\($0)" } == nil)
    }

    typealias Law = (PlannedCase) throws -> Void

    static func failure(of planned: PlannedCase, _ law: Law = PlannerLaws.check) -> (any Error)? {
        do {
            try law(planned)
            return nil
        } catch {
            return error
        }
    }

    /// Takes out deeds one by one while the case still fails.
    static func shrunk(_ planned: PlannedCase, _ law: Law = PlannerLaws.check) -> PlannedCase {
        var small = planned
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for index in small.after.indices.reversed() {
                var other = small
                other.after.remove(at: index)
                if failure(of: other, law) != nil { (small, isSmaller) = (other, true) }
            }
            for index in small.links.indices.reversed() {
                var other = small
                other.links.remove(at: index)
                if failure(of: other, law) != nil { (small, isSmaller) = (other, true) }
            }
            for index in small.before.indices.reversed() {
                var other = small
                other.before.remove(at: index)
                if failure(of: other, law) != nil { (small, isSmaller) = (other, true) }
            }
        }
        return small
    }
}
