/// What a new text of an ignore file that came from another device may do here unasked: leave more out, never take more in.
///
/// A rule that is taken away on one device would otherwise send what another person meant to keep to herself.
package enum IgnoreChange: Equatable, Sendable {
    /// Everything that was left out stays left out.
    case tightens
    /// These lines are gone, or would take in again what an earlier line leaves out: a person is to agree first.
    case loosens([String])

    package static func from(_ old: String, to new: String) -> IgnoreChange {
        let (before, after) = (IgnoreRules.patterns(old), IgnoreRules.patterns(new))
        // What stood there must still stand there in its order; only lines that leave out may come between.
        var kept = before[...]
        var added: [String] = []
        for pattern in after {
            if pattern == kept.first { kept.removeFirst() } else if pattern.isNegated { added.append(pattern.text) }
        }
        let loosening = kept.map(\.text) + added
        return loosening.isEmpty ? .tightens : .loosens(loosening)
    }
}
