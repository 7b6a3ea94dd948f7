import BothyContract
import Synchronization
import Testing

@testable import BothyClient

/// What a device does is taken in while it does more.
@Suite struct OwnChangesIntakeTests {
    private func note(_ count: Int, in intake: OwnChangesIntake) {
        for _ in 0..<count { intake.note(nil, at: nil, before: nil) }
    }

    @Test func onceThereIsEnoughItIsTakenIn_andNotTwiceAtOnce() async {
        let intake = OwnChangesIntake()
        let (began, begins) = AsyncStream.makeStream(of: Void.self)
        let (mayEnd, end) = AsyncStream.makeStream(of: Void.self)
        let underWay = Mutex(0)
        intake.start {
            let beside = underWay.withLock { underWay in
                underWay += 1
                return underWay
            }
            #expect(beside == 1)
            begins.yield()
            for await _ in mayEnd { break }
            underWay.withLock { $0 -= 1 }
        }
        note(OwnChangesIntake.enough - 1, in: intake)
        #expect(underWay.withLock { $0 } == 0)
        note(2 * OwnChangesIntake.enough, in: intake)
        var beginnings = began.makeAsyncIterator()
        await beginnings.next()
        end.yield()
        end.yield()
        await intake.stop()
        #expect(underWay.withLock { $0 } == 0)
    }

    @Test func afterItsEndNothingIsTakenIn() async {
        let intake = OwnChangesIntake()
        let taken = Mutex(0)
        intake.start { taken.withLock { $0 += 1 } }
        await intake.stop()
        note(2 * OwnChangesIntake.enough, in: intake)
        await intake.stop()
        #expect(taken.withLock { $0 } == 0)
    }
}
