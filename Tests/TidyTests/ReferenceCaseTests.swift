import Foundation
import Testing

/// Every case that the designs name is a test by its name.
@Suite struct ReferenceCaseTests {
    private static func files() throws -> [TestFile] {
        let swift = try SourceTree.files(in: ["Tests"]).map { TestFile(swift: $0.text) }
        let acceptance = SourceTree.root.appending(path: "Acceptance")
        let python = try FileManager.default.contentsOfDirectory(at: acceptance, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "py" }.map { TestFile(python: try String(contentsOf: $0, encoding: .utf8)) }
        return swift + python
    }

    @Test func everyRowHasItsTest() throws {
        let files = try Self.files()
        for row in ReferenceCases.all { #expect(files.contains { $0.has(row.test) }, "\(row.row): \(row.test)") }
    }

    @Test func noRowIsListedTwice() {
        #expect(Set(ReferenceCases.all.map(\.row)).count == ReferenceCases.all.count)
    }

    /// A test that was emptied, or switched off, held its row all the same.
    @Test func aTestThatCannotFailHoldsNoRow() {
        let file = TestFile(
            swift: """
                @Suite struct Some {
                    @Test func looks() { #expect(1 == 1) }

                    @Test(arguments: [1, 2])
                    func looksByAnother(number: Int) throws {
                        try law(number)
                    }

                    private func law(_ number: Int) throws {
                        _ = try #require(number > 0 ? number : nil)
                    }

                    @Test func isEmpty() {
                        // #expect(1 == 1)
                    }

                    @Test(.disabled("for now")) func isDisabled() { #expect(1 == 1) }

                    func isNoTest() { #expect(1 == 1) }
                }
                """)
        #expect(["looks", "looksByAnother"].allSatisfy(file.has))
        #expect(!["isEmpty", "isDisabled", "isNoTest", "law", "nowhere"].contains(where: file.has))
    }

    @Test func aTestOfTheBinaryThatCannotFailHoldsNoRow() {
        let file = TestFile(
            python: """
                @pytest.mark.parametrize("keep", ["mine", "theirs"])
                def test_it_looks(keep):
                    assert keep


                def test_it_looks_by_another(device):
                    journey(device)


                def journey(device):
                    wait_until(lambda: device.tree())


                def test_it_is_empty():
                    # assert 1
                    pass


                @pytest.mark.skip(reason="for now")
                def test_it_is_skipped():
                    assert 1
                """)
        #expect(["test_it_looks", "test_it_looks[mine]", "test_it_looks_by_another"].allSatisfy(file.has))
        #expect(
            !["test_it_looks[both]", "test_it_is_empty", "test_it_is_skipped", "journey"].contains(where: file.has))
    }
}
