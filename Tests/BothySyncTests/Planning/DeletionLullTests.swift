import BothySync
import Testing

/// A person who deletes much deletes one thing after the other; what goes on the server waits for the last of them.
@Suite struct DeletionLullTests {
    /// - Returns: whether they wait still, by what each look finds deleted.
    private func waits(_ looks: [(at: Double, count: Int)]) -> [Bool] {
        var lull = DeletionLull()
        return looks.map { look in
            lull = lull.at(look.at)
            lull.note(look.count)
            return lull.isWaiting
        }
    }

    @Test func whatWasDeletedGoesOnceNothingMoreIs() {
        #expect(waits([(10, 1), (10.1, 1), (10.5, 1)]) == [true, true, false])
        #expect(waits([(10, 1), (10.4, 2), (10.6, 2), (11, 2)]) == [true, true, true, false])
    }

    @Test func whereNothingIsDeletedNothingWaits() {
        #expect(waits([(10, 0), (10.1, 0)]) == [false, false])
        #expect(waits([(10, 1), (10.1, 0), (70, 1)]) == [true, false, true], "each burst waits for itself")
    }

    @Test func whatIsDeletedOnAndOnGoesAtLast() {
        let steady = (0...400).map { (at: Double($0) / 10, count: $0 + 1) }
        let first = waits(steady).firstIndex(of: false)
        #expect(first == Int(DeletionLull.longest * 10))
    }

    /// What the server refused has waited, and is tried again as everything is.
    @Test func whatIsLeftOfWhatWentHasWaited_andWhatIsNewHasNot() {
        var lull = DeletionLull().at(10)
        lull.note(5)
        lull = lull.at(11)
        lull.note(5)
        #expect(!lull.isWaiting)
        lull.went(3)
        var left = lull.at(11.1)
        left.note(2)
        #expect(!left.isWaiting)
        var more = lull.at(11.1)
        more.note(3)
        #expect(more.isWaiting && more.secondsLeft == DeletionLull.quiet)
    }
}
