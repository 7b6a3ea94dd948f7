import BothyContract
import Testing

/// Names come in the order that a person expects.
@Suite struct NameOrderTests {
    @Test func numbersCountAsNumbersAndCaseDoesNot() {
        let names = [
            "", " x", "1.txt", "01.txt", "2.txt", "10.txt", "100 a", "100 B", "a.txt", "A2", "a10", "Ä3", "apfel",
            "Äpfel",
            "apfel 2", "b", "Z", "ж", "日本",
        ]
        var random = SeededGenerator(seed: 7)
        let sorted = names.shuffled(using: &random).sorted(by: NameOrder.precedes)
        #expect(sorted.map { NameOrder.key($0) } == names.sorted(by: NameOrder.precedes).map { NameOrder.key($0) })
        #expect(["a10", "A2", "a1", "B1"].sorted(by: NameOrder.precedes) == ["a1", "A2", "a10", "B1"])
        #expect(["img12.png", "IMG9.png", "img 9.png"].sorted(by: NameOrder.precedes).last == "img12.png")
        #expect(["zoo", "Äpfel", "apfel"].sorted(by: NameOrder.precedes) == ["apfel", "Äpfel", "zoo"])
    }

    @Test func theOrderIsTotal() {
        var random = SeededGenerator(seed: 11)
        let parts = [
            "a", "A", "0", "00", "7", "12", "9999999999999999999999999", "é", "e\u{301}", " ", ".", "\u{1F600}",
        ]
        let names = (0..<24).map { _ in
            (0..<Int.random(in: 0...4, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        }
        for left in names {
            for right in names where !left.utf8.elementsEqual(right.utf8) {
                #expect(NameOrder.precedes(left, right) != NameOrder.precedes(right, left), "\(left) and \(right)")
                for third in names where NameOrder.precedes(left, right) && NameOrder.precedes(right, third) {
                    #expect(NameOrder.precedes(left, third), "\(left), \(right), \(third)")
                }
            }
        }
    }

    @Test func aNumberLongerThanAnyIsStillInOrder() {
        let nines = String(repeating: "9", count: 254)
        #expect(NameOrder.precedes("1", nines) && !NameOrder.precedes(nines, "1"))
        #expect(NameOrder.key(nines).count < 270)
    }
}
