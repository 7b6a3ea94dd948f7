import BothyClient
import BothyContract
import BothyPresentation
import Testing

@MainActor @Suite struct TyingStateHolderTests {
    private nonisolated static let wish = FolderToTie(localPath: "~/box", remotePath: "/box")

    private func holder(_ folders: MadeUpFoldersInStep) -> TyingStateHolder {
        TyingStateHolder(Self.wish, folders: folders, words: .english)
    }

    @Test func whatWouldBeDoneIsToldBeforeAnythingIs() async {
        let folders = MadeUpFoldersInStep(
            [],
            tying: TyingLook(
                plan: "p1", localPath: "/home/anna/box", remotePath: "/box", goingUp: 1, comingDown: 12, inConflict: 2,
                deeds: [FolderAct(.sent, at: "\u{202E}a.txt")], hasMore: true))
        let holder = holder(folders)
        await holder.look()
        let look = holder.state.look
        #expect(
            look?.sums == [
                "1 file or folder would be uploaded.", "12 files and folders would be downloaded.",
                "2 files are not the same on both sides.",
            ])
        #expect(look?.deeds == ["would send ⟨U+202E⟩a.txt"] && look?.hasMore == true)
        #expect(look?.path == "/home/anna/box" && folders.asked.isEmpty && !holder.state.isTied)
    }

    @Test(
        arguments: [
            (.agreed, "would link a as the same on both sides"), (.sent, "would send a"),
            (.madeFolderThere, "would make the folder a on the server"), (.movedHere(from: "b"), "would move b to a"),
            (.setAside(from: "b"), "would set b aside as a"),
            (.trashedThere(count: 3), "would put a and 2 more in it into the server's trash"),
            (.tookBack(.untrashed), "would undo what was done to a"),
        ] as [(FolderAct.Kind, String)])
    func whatIsNotDoneYetIsSaidSo(_ kind: FolderAct.Kind, _ words: String) {
        #expect(Words.english.would(FolderAct(kind, at: "a")) == words)
    }

    @Test func whatIsTheSameAlreadySaysSo() async {
        let holder = holder(
            MadeUpFoldersInStep([], tying: TyingLook(plan: "p", localPath: "/b", remotePath: "/b")))
        await holder.look()
        #expect(holder.state.look?.sums == ["Both are already the same: nothing would be transferred."])
    }

    @Test func itIsTiedByThePlanThatWasSeen() async {
        let folders = MadeUpFoldersInStep([])
        let holder = holder(folders)
        await holder.tie(as: "p1")
        #expect(folders.asked == ["tie ~/box /box p1"] && holder.state.isTied)
        #expect(holder.state.notice?.text == "The folders are now synced.")
    }

    @Test func aRefusalSaysWhyAndKeepsWhatWasTyped() async {
        let holder = holder(MadeUpFoldersInStep([]))
        await holder.look()
        #expect(holder.state.look == nil && holder.state.wish == Self.wish)
        #expect(holder.state.notice?.text == "“~/box” is too broad to sync.")
        let changed = ClientFailure(.changedMeanwhile, "Something has changed since.")
        let late = self.holder(MadeUpFoldersInStep([], failure: changed))
        await late.tie(as: "p1")
        #expect(!late.state.isTied && late.state.notice?.tone == .failure)
    }
}
