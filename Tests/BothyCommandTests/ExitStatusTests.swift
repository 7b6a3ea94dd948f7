import BothyClient
import Testing

@testable import bothy

@Suite struct ExitStatusTests {
    @Test func theNumbersNeverChange() {
        #expect(ExitStatus.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 130])
    }

    @Test func severalThingsInOneCommandEndInOneNumber() {
        #expect(ExitStatus.ofAll([]) == .done)
        #expect(ExitStatus.ofAll([.done, .done]) == .done)
        #expect(ExitStatus.ofAll([.done, .failed]) == .partlyDone)
        #expect(ExitStatus.ofAll([.notThereOrInConflict, .done]) == .partlyDone)
        #expect(ExitStatus.ofAll([.notThereOrInConflict]) == .notThereOrInConflict)
        #expect(ExitStatus.ofAll([.done, .signInNeeded]) == .signInNeeded)
        #expect(ExitStatus.ofAll([.done, .interrupted, .failed]) == .interrupted)
    }

    @Test func aComplaintIsSafeToPrint() {
        let complaint = Complaint(.notThere, "“/a\u{1B}[2J” is not there.", status: .notThereOrInConflict)
        #expect(complaint.lines == ["bothy: “/a\\u{1B}[2J” is not there."])
        #expect(!ErrorDocument(complaint).line.contains("\u{1B}"))
    }
}
