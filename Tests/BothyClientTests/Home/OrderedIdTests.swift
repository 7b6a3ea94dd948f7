import BothyContract
import Testing

@testable import BothyClient

@Suite struct OrderedIdTests {
    @Test func idsBeginWithTheTimeAndEndByChance() {
        let ids = (0..<200).map { OrderedId.new(at: Timestamp(milliseconds: 1_763_000_000_000 + Int64($0))) }
        #expect(ids == ids.sorted() && Set(ids.map { $0.suffix(6) }).count > 195)
        for id in ids {
            #expect(id.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
            #expect(id.dropFirst(14).first == "7" && "89ab".contains(id.dropFirst(19).first ?? "-"))
        }
        #expect(OrderedId.new(at: Timestamp(milliseconds: 0x12_3456_789A)).hasPrefix("00123456-789a-7"))
    }
}
