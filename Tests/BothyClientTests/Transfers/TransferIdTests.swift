import BothyContract
import Testing

@testable import BothyClient

@Suite struct TransferIdTests {
    @Test func idsBeginByChanceAndAsRequestIdsByTheTime() {
        let ids = (0..<200).map { TransferId.new(at: Timestamp(milliseconds: 1_763_000_000_000 + Int64($0))) }
        #expect(Set(ids.map { $0.prefix(8) }).count > 195)
        let requests = ids.map(TransferId.inOrderOfTime)
        #expect(requests == requests.sorted() && Set(requests).count == ids.count)
        for (id, request) in zip(ids, requests) {
            #expect(
                id.count == 36 && id.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12]
                    && id.dropFirst(14).first == "8")
            #expect(request.sorted() == id.sorted())
        }
    }

    @Test func anIdOfAnEarlierReleaseStaysAsItIs() {
        let earlier = "3f2c7a54-1b5e-4c1d-9f00-0123456789ab"
        #expect(TransferId.inOrderOfTime(earlier) == earlier)
        #expect(TransferId.inOrderOfTime("t1") == "t1")
        #expect(TransferId.new(at: Timestamp(milliseconds: 1)).hasSuffix("-000000000001"))
    }
}
