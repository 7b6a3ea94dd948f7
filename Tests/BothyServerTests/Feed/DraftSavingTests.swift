import Testing

@testable import BothyServer

/// What saving a draft comes to, whoever else has saved it meanwhile.
@Suite struct DraftSavingTests {
    private static let known = DraftSaving.Known(version: 4, base: 3, editor: "here")

    @Test(
        arguments: [
            (nil, 0, "here", false, .begin(version: 1)), (nil, 6, nil, false, .begin(version: 7)),
            (known, 4, "here", false, .replace(version: 5)), (known, 4, "there", false, .replace(version: 5)),
            (known, 4, nil, false, .replace(version: 5)), (known, 4, "here", true, .keep),
            (known, 3, "there", true, .keep), (known, 3, "here", false, .replace(version: 5)),
            (known, 3, "there", false, .copy), (known, 3, nil, false, .copy), (known, 2, "here", false, .copy),
            (known, 0, "there", false, .copy), (known, 5, "there", false, .copy),
        ] as [(DraftSaving.Known?, Int64, String?, Bool, DraftSaving)])
    func twoWhoChangeTheSameVersionBothKeepIt(
        known: DraftSaving.Known?, base: Int64, editor: String?, isSame: Bool, outcome: DraftSaving
    ) {
        #expect(DraftSaving(over: known, base: base, editor: editor, isSame: isSame) == outcome)
    }

    @Test func whoSavesWithoutAnEditorIsNobodyWhoGoesOn() {
        let known = DraftSaving.Known(version: 4, base: 3, editor: nil)
        #expect(DraftSaving(over: known, base: 3, editor: nil, isSame: false) == .copy)
    }

    @Test(arguments: 0..<500)
    func whateverIsTypedAnywhereAndWhicheverAnswersAreLostNothingIsLost(seed: UInt64) {
        var world = DraftWorld(seed: seed)
        for _ in 0..<60 { world.step() }
        world.settle()
        #expect(world.kept == world.typed)
    }
}

/// Three editors of one draft, and a server whose answers may be lost. Texts are sets of what was typed, which nobody takes out.
private struct DraftWorld {
    struct Kept {
        var known: DraftSaving.Known
        var text: Set<Int>
    }

    struct Editor {
        var name: String
        var draft = 0
        var base: Int64 = 0
        var text: Set<Int> = []
        var isSaved = true
    }

    private var random: SeededGenerator
    private var drafts = [Int: Kept]()
    private var editors = ["a", "b", "c"].map { Editor(name: $0) }
    private(set) var typed: Set<Int> = []

    var kept: Set<Int> { drafts.values.reduce(into: []) { $0.formUnion($1.text) } }

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func step() {
        let place = Int.random(in: editors.indices, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
            typed.insert(typed.count)
            editors[place].text.insert(typed.count - 1)
            editors[place].isSaved = false
        case 2: read(place)
        case 3: _ = take(editors[place])  // the answer is lost
        default: save(place)
        }
    }

    mutating func settle() { for place in editors.indices { save(place) } }

    /// Only who has nothing to save takes over what is there.
    private mutating func read(_ place: Int) {
        guard editors[place].isSaved, let kept = drafts[editors[place].draft] else { return }
        (editors[place].text, editors[place].base) = (kept.text, kept.known.version)
    }

    private mutating func save(_ place: Int) {
        guard !editors[place].isSaved, let answer = take(editors[place]) else { return }
        (editors[place].draft, editors[place].base, editors[place].isSaved) = (answer.id, answer.version, true)
    }

    private mutating func take(_ editor: Editor) -> (id: Int, version: Int64)? {
        guard !editor.isSaved else { return nil }
        let there = drafts[editor.draft]
        let saving = DraftSaving(
            over: there?.known, base: editor.base, editor: editor.name, isSame: there?.text == editor.text)
        switch saving {
        case .keep: return (editor.draft, there?.known.version ?? 0)
        case .begin(let version), .replace(let version):
            drafts[editor.draft] = Kept(
                known: DraftSaving.Known(version: version, base: editor.base, editor: editor.name), text: editor.text)
            return (editor.draft, version)
        case .copy:
            let id = drafts.count
            drafts[id] = Kept(
                known: DraftSaving.Known(version: 1, base: editor.base, editor: editor.name), text: editor.text)
            return (id, 1)
        }
    }
}
