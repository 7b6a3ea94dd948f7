import BothySync
import Testing

@Suite struct PlaceTests {
    /// Some stand before the slash in ASCII, some behind it; some begin like others, and two say the same letter in other bytes.
    private static let names: [NodeName] = ["a", "b", "a!", "a-b", "a.txt", "a0", "ab", "é", "e\u{301}", "日本", "\u{1}"]

    private func someNames(_ random: inout SeededGenerator) -> [NodeName] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in Self.names.randomElement(using: &random)! }
    }

    @Test(arguments: 0..<500 as Range<UInt64>) func placesComeInTheOrderOfTheirNames(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (left, right) = (someNames(&random), someNames(&random))
        #expect((Place(left) < Place(right)) == left.lexicographicallyPrecedes(right))
        #expect((Place(left) == Place(right)) == (left == right))
    }

    @Test func aFolderIsBeforeWhatIsInItAndThatBeforeItsNextSibling() {
        let places: [Place] = ["", "a", "a/z", "a/z/z", "a!", "a-b", "a0", "b"]
        #expect(places.shuffled().sorted() == places)
    }

    @Test func namesAreToldApartByteByByte() {
        for left in Self.names {
            for right in Self.names {
                #expect((left == right) == (Array(left.text.utf8) == Array(right.text.utf8)))
                #expect(left != right || left.hashValue == right.hashValue)
            }
        }
    }
}
