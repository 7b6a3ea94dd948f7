import BothyClient
import BothyContract
import BothyPresentation
import Foundation
import FolderConformance
import Testing

/// A folder on a screen, without any screen.
@MainActor @Suite struct FileListStateHolderTests {
    private let folders = MadeUpFolders()
    private let clock = PersonsClock(now: Timestamp(seconds: 1_790_000_000), zone: .gmt)

    private func holder(_ folder: ItemID = .root, order: FileOrder = .name) -> FileListStateHolder {
        FileListStateHolder(folder, order: order, folders: folders, actions: folders, words: .english, clock: clock)
    }

    @Test func aFolderShowsItsNameTheWayToItAndItsFilesFoldersFirst() async {
        let outer = folders.put("outer", isFolder: true)
        let inner = folders.put("inner", isFolder: true, in: outer)
        folders.put("b.txt", text: Array(repeating: 0, count: 1500), in: inner)
        folders.put("a", isFolder: true, in: inner)
        let holder = holder(inner)
        await holder.open()
        #expect(holder.state.title == "inner")
        #expect(holder.state.crumbs.map(\.name) == ["Files", "outer"])
        #expect(holder.state.rows.map(\.name) == ["a", "b.txt"])
        #expect(holder.state.rows.map(\.kind) == [.folder, .text])
        #expect(holder.state.rows.map(\.size) == ["", "1.5 kB"])
        #expect(holder.state.standing == .shown && !holder.state.isEmpty)
    }

    @Test func anEmptyFolderIsEmptyAndNotStillBeingRead() async {
        let holder = holder()
        #expect(holder.state.standing == .fresh && !holder.state.isEmpty)
        await holder.open()
        #expect(holder.state.isEmpty)
    }

    @Test func whatCannotBeReadSaysWhyAndWhatIsShownStaysShown() async {
        folders.put("a.txt")
        let holder = holder()
        await holder.open()
        folders.fail(with: ClientFailure(.serverBusy, "The server is busy."))
        await holder.open()
        #expect(holder.state.rows.count == 1)
        #expect(holder.state.notice?.text == "The server is busy.")
        holder.dismissNotice()
        #expect(holder.state.notice == nil)
        let other = self.holder(ItemID("nobody"))
        await other.open()
        guard case .failed(let notice, isMissing: false) = other.state.standing else {
            Issue.record("it is not told")
            return
        }
        #expect(notice.remedy == FailureCode.serverBusy.remedy)
    }

    @Test func aListOfAHundredThousandHoldsAWindowOfIt() async {
        for number in 0..<3000 { folders.put(Self.name(number)) }
        let holder = holder()
        await holder.open()
        #expect(holder.state.rows.count == FileListStateHolder.windowSize && holder.state.total == 3000)
        await holder.show(150..<400)
        #expect(holder.state.range == 0..<400)
        for first in stride(from: 400, through: 2800, by: 200) { await holder.show(first..<first + 200) }
        #expect(holder.state.rows.count <= FileListStateHolder.mostRows)
        #expect(holder.state.range.upperBound == 3000)
        #expect(holder.state.rows.map(\.name) == holder.state.range.map(Self.name))
        await holder.show(0..<100)
        #expect(holder.state.rows.map(\.name) == (0..<100).map(Self.name))
    }

    private static func name(_ number: Int) -> String { "file " + String(10_000 + number) }

    @Test(arguments: 1...40)
    func whatHappensElsewhereMovesTheWindowToWhatReadingItAgainWouldShow(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var ids = (0..<60).map { folders.put("\($0 * 7919 % 100) start \($0)", isFolder: $0 % 5 == 0) }
        let holder = holder(order: FileOrder.allCases[Int(seed) % FileOrder.allCases.count])
        await holder.open()
        let acts = 12
        for act in 0..<acts {
            let place = Int.random(in: 0..<ids.count, using: &random)
            let name = "\(Int.random(in: 0..<100, using: &random)) act \(act)"
            switch Int.random(in: 0..<3, using: &random) {
            case 0: ids.append(folders.put(name))
            case 1: try await folders.trash(ids.remove(at: place))
            default: _ = try await folders.rename(ids[place], to: name)
            }
        }
        struct Enough: Error {}
        let end = try await folders.window(of: .root, order: holder.state.order, 0..<200)
        do {
            try await holder.follow { delta in
                if delta.mark == end.mark { throw Enough() }
            }
        } catch is Enough {}
        #expect(holder.state.rows.map(\.id) == end.items.map(\.id))
        #expect(holder.state.rows.map(\.name) == end.items.map(\.name))
        #expect(holder.state.total == end.total)
    }

    @Test func aFolderThatIsDeletedElsewhereSaysSo() async throws {
        let folder = folders.put("away", isFolder: true)
        folders.put("in it", in: folder)
        let holder = holder(folder)
        await holder.open()
        try await folders.trash(folder)
        try await takeIn(holder)
        #expect(holder.state.standing == .gone && holder.state.rows.isEmpty)
    }

    @Test func aRangeThatIsDrawnShorterChoosesNoMoreThanIt() async {
        let ids = ["a", "b", "c", "d", "e"].map { folders.put($0) }
        let holder = holder()
        await holder.open()
        holder.toggle(ids[4])
        holder.toggle(ids[0])
        for to in [1, 2, 3] { holder.extendSelection(to: ids[to]) }
        #expect(holder.state.selection == Set(ids))
        holder.extendSelection(to: ids[1])
        #expect(holder.state.selection == [ids[0], ids[1], ids[4]], "what was chosen before it stays")
    }

    @Test func aSelectionIsOfThingsAndNotOfNames() async throws {
        let ids = ["a", "b", "c", "d"].map { folders.put($0) }
        let holder = holder()
        await holder.open()
        holder.select(ids[1])
        holder.extendSelection(to: ids[3])
        #expect(holder.state.selection == Set(ids[1...]))
        _ = try await folders.rename(ids[2], to: "z")
        try await folders.trash(ids[3])
        try await takeIn(holder)
        #expect(holder.state.selection == Set(ids[1...2]), "renamed ones stay chosen, and what is gone does not")
        holder.toggle(ids[1])
        #expect(holder.state.selection == [ids[2]])
        await holder.selectAll()
        #expect(holder.state.selection.count == 3)
        holder.clearSelection()
        #expect(holder.state.selection.isEmpty)
    }

    @Test func sortingShowsTheSameFilesInAnotherOrder() async {
        for (name, count) in [("a", 3), ("b", 1), ("c", 2)] {
            folders.put(name, text: Array(repeating: 1, count: count))
        }
        let holder = holder()
        await holder.open()
        await holder.sort(by: .sizeDescending)
        #expect(holder.state.rows.map(\.name) == ["a", "c", "b"])
    }
}

/// What happened so far, as one piece of news.
@MainActor private func takeIn(_ holder: FileListStateHolder) async throws {
    struct Enough: Error {}
    do {
        try await holder.follow { _ in throw Enough() }
    } catch is Enough {}
}

/// SplitMix64 (Steele, Lea, Flood: «Fast splittable pseudorandom number generators», 2014).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
