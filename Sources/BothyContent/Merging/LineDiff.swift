/// Which lines two texts have in common: the greedy algorithm of E. W. Myers, «An O(ND) difference algorithm and its
/// variations» (Algorithmica 1, 1986).
package enum LineDiff {
    /// Lines that were taken out or put in. Beyond, time and memory would grow with their square, and nobody could
    /// say whether a merge is right.
    static let mostDifferences = 2_000

    /// Lines of `old` and `new` that are the same, in order, as pairs of indexes; nil where the two differ too much.
    package static func matches(_ old: [Int32], _ new: [Int32]) -> [(old: Int, new: Int)]? {
        let head = zip(old, new).prefix { $0 == $1 }.count
        let rest = min(old.count, new.count) - head
        let tail = zip(old.reversed(), new.reversed()).prefix(rest).prefix { $0 == $1 }.count
        let (inner, other) = (old[head..<(old.count - tail)], new[head..<(new.count - tail)])
        guard let middle = greedy(Array(inner), Array(other)) else { return nil }
        let first = (0..<head).map { (old: $0, new: $0) }
        let last = (0..<tail).map { (old: old.count - tail + $0, new: new.count - tail + $0) }
        return first + middle.map { (old: $0.old + head, new: $0.new + head) } + last
    }

    /// Follows the furthest reaching way on each diagonal, one difference more at a time.
    private static func greedy(_ old: [Int32], _ new: [Int32]) -> [(old: Int, new: Int)]? {
        /// How far each diagonal reached with that many differences: diagonal `k` at `k + differences`.
        var reached: [[Int32]] = []
        for differences in 0...min(old.count + new.count, mostDifferences) {
            var row = [Int32](repeating: 0, count: 2 * differences + 1)
            for k in stride(from: -differences, through: differences, by: 2) {
                var x = start(reached.last, k, differences)
                while x < old.count, x - k < new.count, old[x] == new[x - k] { x += 1 }
                row[k + differences] = Int32(x)
                if x >= old.count, x - k >= new.count {
                    return walkBack(reached, old.count, new.count, differences)
                }
            }
            reached.append(row)
        }
        return nil
    }

    /// Where diagonal `k` begins its run: one line put in from above, or one taken out from the left.
    private static func start(_ before: [Int32]?, _ k: Int, _ differences: Int) -> Int {
        guard let before else { return 0 }
        func reach(_ diagonal: Int) -> Int { Int(before[diagonal + differences - 1]) }
        if k == -differences { return reach(k + 1) }
        if k == differences { return reach(k - 1) + 1 }
        return max(reach(k - 1) + 1, reach(k + 1))
    }

    private static func walkBack(
        _ reached: [[Int32]], _ oldCount: Int, _ newCount: Int, _ differences: Int
    ) -> [(old: Int, new: Int)] {
        var found: [(old: Int, new: Int)] = []
        var (x, y) = (oldCount, newCount)
        for depth in stride(from: differences, through: 0, by: -1) {
            let k = x - y
            let begin = start(depth == 0 ? nil : reached[depth - 1], k, depth)
            while x > begin {
                x -= 1
                y -= 1
                found.append((x, y))
            }
            if depth == 0 { break }
            // One step back to the diagonal that this one came from.
            let before = reached[depth - 1]
            let cameDown = k == -depth || (k != depth && before[k + depth] > before[k + depth - 2])
            if cameDown { y -= 1 } else { x -= 1 }
        }
        return found.reversed()
    }
}
