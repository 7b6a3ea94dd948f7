/// Runs worlds side by side, one seed after the other.
struct SeedRun: Sendable {
    let seeds: Range<UInt64>
    /// Worlds at once; each is one task that awaits one thing at a time.
    let width: Int
    /// What a seed comes to.
    let finding: @Sendable (UInt64) async -> Finding?

    /// Tells of each world as it ends. When the task is cancelled it returns soon, and what is under way comes to nothing.
    ///
    /// - Parameter ended: what a seed came to; false ends the run: seeds that have begun are still told.
    func run(ended: (UInt64, Finding?) async -> Bool) async {
        await withTaskGroup(of: (UInt64, Finding?).self) { group in
            var next = seeds.lowerBound
            func begin() {
                guard next < seeds.upperBound else { return }
                let seed = next
                next += 1
                group.addTask { (seed, await finding(seed)) }
            }
            for _ in 0..<max(1, width) { begin() }
            var goesOn = true
            while let (seed, finding) = await group.next(), !Task.isCancelled {
                goesOn = await ended(seed, finding) && goesOn
                if goesOn { begin() }
            }
        }
    }
}
