import Foundation
import Testing

/// Every law on many cases: `BOTHY_CASES` says how many.
@Suite struct PlannerPropertyTests {
    static let count = ProcessInfo.processInfo.environment["BOTHY_CASES"].flatMap(UInt64.init) ?? 10_000
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

    static func failure(of planned: PlannedCase) -> (any Error)? {
        do {
            try PlannerLaws.check(planned)
            return nil
        } catch {
            return error
        }
    }

    /// Takes out deeds one by one while the case still fails.
    static func shrunk(_ planned: PlannedCase) -> PlannedCase {
        var small = planned
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for index in small.after.indices.reversed() {
                var other = small
                other.after.remove(at: index)
                if failure(of: other) != nil { (small, isSmaller) = (other, true) }
            }
            for index in small.before.indices.reversed() {
                var other = small
                other.before.remove(at: index)
                if failure(of: other) != nil { (small, isSmaller) = (other, true) }
            }
        }
        return small
    }
}
