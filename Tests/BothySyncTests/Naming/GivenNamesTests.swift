import BothyContract
import BothySync
import Testing

@Suite struct GivenNamesTests {
    @Test(arguments: ["report.pdf", "notes", "a (1).txt", ".hidden", String(repeating: "x", count: 255)])
    func aNameWithANumberIsKnown(_ name: String) {
        for attempt in [0, 8, 99, 12_345] {
            #expect(GivenNames.isNumbered(GivenNames.numbered(NodeName(name), attempt: attempt), as: NodeName(name)))
        }
        #expect(!GivenNames.isNumbered(NodeName(name), as: NodeName(name)))
    }

    @Test(arguments: [
        "report.pdf", "report (0).pdf", "report ().pdf", "report (x).pdf", "other (1).pdf", "report (1).txt",
    ])
    func whatIsAnotherName(_ name: String) {
        #expect(!GivenNames.isNumbered(NodeName(name), as: "report.pdf"))
    }
}
