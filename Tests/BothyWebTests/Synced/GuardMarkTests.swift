import BothyClient
import Testing

@testable import BothyWeb

/// What a guard saw, as a form carries it to the page that asks and back.
@Suite struct GuardMarkTests {
    @Test(
        arguments: [
            .manyDeletions(.here, planned: 51, overwritten: 2, emptied: 5, lately: 3, known: 200),
            .manyDeletions(
                .here, planned: 51, lately: 0, known: 200,
                other: .init(planned: 60, overwritten: 4, emptied: 7, lately: 1, known: 200)),
            .folderVanished, .folderUnmounted, .folderReplaced, .folderEmptied, .remoteFolderLost, .tyingTakenBack,
        ] as [GuardSaw])
    func whatIsMarkedIsReadAgain(_ saw: GuardSaw) {
        #expect(GuardSaw(mark: saw.mark) == saw)
    }

    @Test(arguments: [
        "", "deletions", "deletions.here.1.2.3.4", "deletions.here.1.2.3.4.x",
        "deletions.here.1.2.3.4.5.here.1.2.3.4.5", "deletions.here.1.2.3.4.5.onTheServer.1.2.3.4",
        "deletions.nowhere.1.2.3.4.5",
    ])
    func anythingElseIsNoMark(_ mark: String) {
        #expect(GuardSaw(mark: mark) == nil)
    }
}
