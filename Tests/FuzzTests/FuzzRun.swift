import Foundation

/// Which inputs are tried: some each time that the tests run, many with `scripts/fuzz`, one again after a finding.
struct FuzzRun: Sendable {
    /// Inputs between two looks at the clock, and between two notes of where it is.
    private static let stretch: UInt64 = 256
    /// Inputs of a run that is told nothing: some seconds in a debug build.
    private static let usualCount: UInt64 = 3000

    var seed: UInt64 = 0
    var first: UInt64 = 0
    /// Nil: until the time is over.
    var count: UInt64? = usualCount
    var seconds = 0.0
    /// Where it writes down what it is about to try, for the case that it does not come back.
    var note: String?

    /// As `scripts/fuzz` says it.
    init(_ environment: [String: String]) {
        func number(_ name: String) -> UInt64? { environment["BOTHY_TEST_FUZZ_\(name)"].flatMap { UInt64($0) } }
        seed = number("SEED") ?? 0
        first = number("FIRST") ?? 0
        if let seconds = number("SECONDS") { (self.seconds, count) = (Double(seconds), nil) }
        if let count = number("COUNT") { self.count = count }
        note = environment["BOTHY_TEST_FUZZ_NOTE"]
    }

    /// - Returns: inputs tried.
    /// - Throws: ``FuzzFinding``, with the input's number.
    @discardableResult
    func go(_ target: FuzzTarget, seeds: [[UInt8]]) throws -> UInt64 {
        let mutator = Mutator(seeds: seeds, words: target.words)
        let end = Date(timeIntervalSinceNow: seconds)
        var number = first
        while count.map({ number < first + $0 }) ?? (Date() < end) {
            let stretch = count.map { min(Self.stretch, first + $0 - number) } ?? Self.stretch
            try write(down: "\(target.name) \(seed) \(number) \(stretch)")
            for number in number..<(number + stretch) {
                let input = mutator.input(number, of: seed)
                do {
                    try target.check(input)
                } catch {
                    let hex = input.prefix(400).map { String(format: "%02x", $0) }.joined()
                    throw FuzzFinding(
                        "\(error)\nseed \(seed), input \(number), \(input.count) bytes: \(hex)\n"
                            + "again: scripts/fuzz --seed \(seed) --first \(number) --count 1 \(target.name)")
                }
            }
            number += stretch
        }
        return number - first
    }

    private func write(down place: String) throws {
        guard let note else { return }
        try Data(place.utf8).write(to: URL(fileURLWithPath: note))
    }
}
