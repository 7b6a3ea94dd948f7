import BothySync
import Synchronization

/// What happens in the middle of passes, while bytes are under way and between two decisions: people go on working in the folders
/// that are about to be changed, and passes are given up.
final class Bustle: Sendable {
    private struct Doings {
        var chance: SeededGenerator
        var passes = [String: (person: Person, task: Task<PassReport, any Error>)]()
        var isGoingOn = false
    }

    private let doings: Mutex<Doings>
    private let story: Story

    /// One moment in so many meets somebody at work, and one who gives up a pass.
    private static let actOneIn = 4
    private static let giveUpOneIn = 80

    init(seed: UInt64, story: Story) {
        doings = Mutex(Doings(chance: SeededGenerator(seed: seed)))
        self.story = story
    }

    func begin() { doings.withLock { $0.isGoingOn = true } }
    func end() { doings.withLock { $0.isGoingOn = false } }

    func began(_ pass: Task<PassReport, any Error>, beside person: Person) {
        doings.withLock { $0.passes[person.name] = (person, pass) }
    }

    func ended(beside person: Person) { doings.withLock { $0.passes[person.name] = nil } }

    /// Bytes come by, or something has been done.
    func meanwhile() {
        doings.withLock { doings in
            let passes = doings.passes.values.sorted { $0.person.name < $1.person.name }
            guard doings.isGoingOn, let (person, pass) = passes.randomElement(using: &doings.chance) else { return }
            if Int.random(in: 0..<Self.actOneIn, using: &doings.chance) == 0 {
                // What is underfoot may go while they reach for it.
                guard let words = try? person.act(isAlone: false, &doings.chance) else { return }
                story.tell("  meanwhile \(person.name) \(words)")
            } else if Int.random(in: 0..<Self.giveUpOneIn, using: &doings.chance) == 0 {
                story.tell("  meanwhile \(person.name)'s pass is given up")
                pass.cancel()
            }
        }
    }
}
