import BothyClient
import BothyContent
import BothyContract
import Testing

@testable import BothySync

/// What is called damaged, and what is not: a file that somebody edited is none of a disk's doing.
@Suite struct FileVerdictTests {
    private let content = SHA256Hasher.hash(Array("as it was".utf8))
    private let other = SHA256Hasher.hash(Array("as it Was".utf8))
    private let stamp = LocalStamp(
        inode: 7, size: 9, modifiedAt: Timestamp(seconds: 100, nanoseconds: 5), changedAt: Timestamp(seconds: 101),
        bornAt: Timestamp(seconds: 99))

    private func judge(_ hash: ContentHash?, _ change: (inout LocalStamp) -> Void = { _ in }) -> FileVerdict {
        var now = stamp
        change(&now)
        return FileVerdict(of: .file(now, hash), agreedUnder: stamp, content: content)
    }

    @Test func theSameContentIsWholeWhateverWasDoneToTheFile() {
        #expect(judge(content) == .whole)
        #expect(judge(content) { $0.modifiedAt = Timestamp(seconds: 200) } == .whole)
        #expect(judge(content) { $0.inode = 8 } == .whole)
    }

    @Test func anotherContentUnderTheSameStampIsDamage() {
        #expect(judge(other) == .damaged(.untouched, found: other))
    }

    @Test func aTimeThatWasPutBackIsToldApart() {
        #expect(judge(other) { $0.changedAt = Timestamp(seconds: 102) } == .damaged(.timeKept, found: other))
    }

    /// It was called damaged, and what was to heal it destroyed a person's edit.
    @Test func whatMayBeAnEditOfTheSameSecondIsNoDamage() {
        var recent = stamp
        recent.isRecent = true
        #expect(FileVerdict(of: .file(stamp, other), agreedUnder: recent, content: content) == .changed)
        #expect(FileVerdict(of: .file(stamp, content), agreedUnder: recent, content: content) == .whole)
    }

    @Test func anEditIsNotJudged() {
        #expect(judge(other) { $0.modifiedAt = Timestamp(seconds: 100, nanoseconds: 6) } == .changed)
        #expect(judge(other) { $0.inode = 8 } == .changed)
        #expect(
            judge(other) { $0.bornAt = Timestamp(seconds: 98) } == .changed, "another file that was given its inode")
        #expect(judge(nil) { $0.size = 10 } == .changed)
    }

    @Test func whatIsNotThereAndWhatCannotBeReadIsSaid() throws {
        let refused = ClientFailure(.permissionDenied, "no")
        func verdict(_ found: FoundFile) -> FileVerdict { FileVerdict(of: found, agreedUnder: stamp, content: content) }
        #expect(verdict(.nothing) == .missing)
        #expect(verdict(.somethingElse) == .changed)
        #expect(verdict(try FoundFile(refused)) == .unreadable(refused))
        #expect(try FoundFile(ClientFailure(.fileMissing, "gone")) == .nothing)
        #expect(try FoundFile(ClientFailure(.sourceChanged, "edited")) == .beingWritten)
        #expect(throws: ClientFailure.self) { try FoundFile(DiskWork.canceled) }
    }

    @Test func anOwnCopyIsItsContentOrDamaged() {
        #expect(FileVerdict(ofOwnCopy: content, content: content) == .whole)
        #expect(FileVerdict(ofOwnCopy: other, content: content) == .damaged(.ownCopy, found: other))
    }
}
