import BothyContract
import BothySync
import Foundation

/// What was decided about something, as often as the same was decided in a row: what fails is tried again and again.
struct RepeatedDecision: Equatable {
    /// The last of them.
    let decision: Decision
    /// Those before it, the newest first.
    private(set) var earlier = [Decision]()

    /// - Parameter decisions: the newest first.
    /// - Returns: the newest first.
    static func all(in decisions: [Decision]) -> [RepeatedDecision] { all(in: decisions) { _ in true } }

    /// The same where each that was done stands by itself.
    static func failures(in decisions: [Decision]) -> [RepeatedDecision] {
        all(in: decisions) { $0.trace.failure != nil }
    }

    private static func all(in decisions: [Decision], which isSummedUp: (Decision) -> Bool) -> [RepeatedDecision] {
        decisions.reduce(into: []) { found, decision in
            guard let newer = found.last?.decision, newer.told == decision.told, isSummedUp(decision) else {
                return found.append(RepeatedDecision(decision: decision))
            }
            found[found.count - 1].earlier.append(decision)
        }
    }

    /// «2026-11-20 14:03  could not send a.txt: it is new here. There is no room. (10 times since 2026-11-20 12:58)».
    var words: String { words(in: .current) }

    func words(in zone: TimeZone) -> String {
        "\(MomentText.text(decision.at, in: zone))  \(decision.told)\(times(in: zone))"
    }

    /// « (10 times since 2026-11-20 12:58)»; empty where it was once.
    func times(in zone: TimeZone = .current) -> String {
        guard let first = earlier.last else { return "" }
        return " (\(earlier.count + 1) times since \(MomentText.text(first.at, in: zone)))"
    }
}
