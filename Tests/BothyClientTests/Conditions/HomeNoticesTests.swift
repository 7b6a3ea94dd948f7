import BothyClient
import BothyContract
import NIOCore
import Synchronization
import Testing

/// What a home tells its person: each thing that is new, however many there were before.
@Suite struct HomeNoticesTests {
    @Test func whatTakesThePlaceOfAnotherIsTold() async throws {
        let device = try await TestDevice("http://127.0.0.1:1")
        let things = Things()
        let desktop = ShownDesktop()
        let notices = HomeNotices(
            home: device.home, clock: device.clock, desktop: desktop, transfers: things, conflicts: things,
            folders: SomeFolders(), way: { HomeStanding.Way() })
        await notices.lookOnce()
        things.set(failed: ["film"], conflicts: ["letter"])
        await notices.lookOnce()
        #expect(
            desktop.takeShown() == [
                DeviceNotice(.conflict, count: 1, name: "letter"), DeviceNotice(.failed, count: 1, name: "film"),
            ])
        await notices.lookOnce()
        #expect(desktop.takeShown().isEmpty)
        // Between two looks one was tried again, and another failed; one was decided, and another came.
        things.set(failed: ["song"], conflicts: ["report"])
        await notices.lookOnce()
        #expect(
            desktop.takeShown() == [
                DeviceNotice(.conflict, count: 1, name: "report"), DeviceNotice(.failed, count: 1, name: "song"),
            ])
        things.set(failed: [], conflicts: [])
        await notices.lookOnce()
        things.set(failed: ["song"], conflicts: ["report"])
        await notices.lookOnce()
        #expect(desktop.takeShown().count == 2, "what comes again is news again")
        try await device.close()
    }
}

/// A desktop that shows everything.
private final class ShownDesktop: Desktop {
    private let shown = Mutex<[DeviceNotice]>([])

    func isThere() async -> Bool { true }

    func show(_ notice: DeviceNotice) async -> Bool {
        shown.withLock { $0.append(notice) }
        return true
    }

    /// What was shown since this was asked last.
    func takeShown() -> [DeviceNotice] {
        shown.withLock { shown in
            defer { shown = [] }
            return shown
        }
    }
}

/// Transfers that failed and conflicts that wait, as somebody says.
private final class Things: DeviceTransfers, ConflictsOfOneKind {
    private let names = Mutex<(failed: [String], conflicts: [String])>(([], []))

    func set(failed: [String], conflicts: [String]) { names.withLock { $0 = (failed, conflicts) } }

    func look(most: Int) async throws -> TransfersLook {
        let failed = names.withLock { $0.failed }
        let items = failed.prefix(most).map { name in
            DeviceTransfer(
                id: "of-\(name)", deed: .upload, name: name, state: .failed, since: Timestamp(seconds: 1),
                updatedAt: Timestamp(seconds: 1))
        }
        return TransfersLook(items: Array(items), open: failed.count, asking: failed.count, over: 0)
    }

    func looks(most: Int) -> AsyncThrowingStream<TransfersLook, any Error> { AsyncThrowingStream { $0.finish() } }
    func act(_ remedy: TransferRemedy, on id: DeviceTransfer.ID) async throws {}
    func unsentCopies(givenUpWith id: DeviceTransfer.ID) async throws -> [UnsentCopy] { [] }
    func actOnAll(_ remedy: TransferRemedy) async throws -> Int { 0 }
    func clear() async throws {}

    func waiting() async throws -> [DeviceConflict] {
        names.withLock { $0.conflicts }.map { name in
            DeviceConflict(
                id: "of-\(name)", kind: .edits, above: [], mine: .init(name: name), theirs: nil,
                since: Timestamp(seconds: 1), choices: [], seen: "", hasTwoContents: false)
        }
    }

    func count() async throws -> Int { names.withLock { $0.conflicts.count } }
    func conflict(_ id: DeviceConflict.ID) async throws -> DeviceConflict { throw Self.nothing }
    func beginning(of side: ConflictSide, _ id: DeviceConflict.ID, most bytes: Int) async throws -> [UInt8] { [] }

    func content(ofMine id: DeviceConflict.ID) async throws -> AsyncThrowingStream<ByteBuffer, any Error> {
        throw Self.nothing
    }

    func resolve(_ id: DeviceConflict.ID, _ choice: ConflictDecision.Choice, seen: String) async throws {}
    func decided(most: Int) async throws -> [DecidedConflict] { [] }
    func takeBack(_ id: DecidedConflict.ID) async throws {}

    private static let nothing = ClientFailure(.notFound, "Nobody asks for it.")
}
