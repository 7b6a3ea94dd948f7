import Testing

@testable import BothyServer

@Suite struct OpenConnectionsTests {
    private func open(_ count: Int, from address: String?, in room: inout OpenConnections) -> [OpenConnections.ID] {
        (0..<count).map { _ in room.opened(from: address).id }
    }

    @Test func aHouseholdHasRoomAndAStrangerNotAll() {
        #expect(OpenConnections.Bounds(all: 4_096).ofOneAddress == 1_024)
        #expect(OpenConnections.Bounds(all: 100).ofOneAddress == 64)
        #expect(OpenConnections.Bounds(all: 50).ofOneAddress == 38)
        for all in 1...5_000 {
            let bounds = OpenConnections.Bounds(all: all)
            #expect((1...all).contains(bounds.ofOneAddress))
            #expect(all < 4 || bounds.ofOneAddress < all, "\(all)")
        }
    }

    @Test func anAddressThatHasItsShareGivesOfItsOwn() {
        var room = OpenConnections(OpenConnections.Bounds(all: 4_096))
        let others = open(10, from: "a", in: &room)
        let strangers = open(1_024, from: "b", in: &room)
        for expected in strangers.prefix(100) { #expect(room.opened(from: "b").givesWay == expected) }
        #expect(room.count == 10 + 1_024)
        #expect(room.opened(from: "a").givesWay == nil && room.opened(from: "c").givesWay == nil)
        #expect(others.count == 10)
    }

    @Test func whereAllOfAnAddressAreBusyTheNewOneGoes() {
        var room = OpenConnections(OpenConnections.Bounds(all: 4_096))
        for id in open(1_024, from: "b", in: &room) { room.began(id) }
        let new = room.opened(from: "b")
        #expect(new.givesWay == new.id && room.count == 1_024)
        #expect(room.opened(from: "a").givesWay == nil)
    }

    @Test func whenAllAreTakenTheLongestIdleGivesWay() {
        var room = OpenConnections(OpenConnections.Bounds(all: 3))
        let (a, b, c) = (room.opened(from: "a").id, room.opened(from: "b").id, room.opened(from: "c").id)
        room.began(a)
        #expect(room.opened(from: "d").givesWay == b)
        room.rested(a)
        #expect(room.opened(from: "e").givesWay == c, "who has just been answered has been idle for the shortest time")
    }

    @Test func whileAllAreBusyNobodyIsLetIn() {
        var room = OpenConnections(OpenConnections.Bounds(all: 2))
        let (a, b) = (room.opened(from: "a").id, room.opened(from: "b").id)
        #expect(room.admits)
        room.began(a)
        room.began(b)
        #expect(!room.admits)
        room.rested(b)
        #expect(room.admits)
        room.began(b)
        room.closed(a)
        #expect(room.admits)
    }

    /// The connections of a trusted proxy are its clients'.
    @Test func aTrustedProxyIsBoundedByAllAlone() {
        var room = OpenConnections(OpenConnections.Bounds(all: 100))
        for _ in 0..<100 { #expect(room.opened(from: nil).givesWay == nil) }
        #expect(room.opened(from: nil).givesWay == 1)
    }

    @Test func whoWasToldToGoAndHasARequestCountsUntilItHasGone() {
        var room = OpenConnections(OpenConnections.Bounds(all: 1))
        let a = room.opened(from: "a").id
        let b = room.opened(from: "b")
        #expect(b.givesWay == a && room.count == 1)
        room.began(a)
        #expect(room.count == 2)
        room.closed(a)
        #expect(room.count == 1)
    }

    /// Against lists that are looked through from end to end.
    @Test(arguments: [UInt64](1...8)) func whatAFewThousandStepsMakeIsWhatListsSay(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bounds = OpenConnections.Bounds(all: 20)
        var room = OpenConnections(bounds)
        var idle = [(id: OpenConnections.ID, address: String?)]()
        var busy = [(id: OpenConnections.ID, address: String?)]()
        for step in 0..<3_000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let address = ["a", "a", "b", "c", nil][Int.random(in: 0..<5, using: &random)]
                let (id, givesWay) = room.opened(from: address)
                let own = (idle + busy).count { $0.address == address }
                var expected: OpenConnections.ID?
                if address != nil, own >= bounds.ofOneAddress {
                    expected = idle.first { $0.address == address }?.id ?? id
                } else if idle.count + busy.count >= bounds.all {
                    expected = idle.first?.id
                }
                #expect(givesWay == expected, "seed \(seed), step \(step)")
                idle.append((id, address))
                idle.removeAll { $0.id == expected }
            case 2 where !idle.isEmpty:
                let one = idle.remove(at: Int.random(in: 0..<idle.count, using: &random))
                room.began(one.id)
                busy.append(one)
            case 3 where !busy.isEmpty:
                let one = busy.remove(at: Int.random(in: 0..<busy.count, using: &random))
                if Bool.random(using: &random) {
                    room.rested(one.id)
                    idle.append(one)
                } else {
                    room.closed(one.id)
                }
            default: break
            }
            #expect(room.count == idle.count + busy.count && room.admits == (room.count < bounds.all || !idle.isEmpty))
        }
    }
}
