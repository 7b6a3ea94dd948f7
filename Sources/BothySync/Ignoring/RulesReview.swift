/// Which text of an ignore file holds here.
package struct IgnoreReview: Equatable, Sendable {
    /// What a person here has agreed to, or what only tightens it.
    package var heeded: String
    /// Lines by which the text that came from elsewhere would take in what is left out.
    package var loosening: [String]

    package init(heeded: String, loosening: [String]) {
        self.heeded = heeded
        self.loosening = loosening
    }

    /// - Parameters:
    ///   - heeded: what held until now; nil where there was no such file.
    ///   - text: what the file says now; nil where it is gone.
    ///   - isFromHere: it was changed in this folder, and not brought here.
    package static func of(_ text: String?, heeded: String?, isFromHere: Bool) -> IgnoreReview {
        let (old, new) = (heeded ?? "", text ?? "")
        if isFromHere || old == new { return IgnoreReview(heeded: new, loosening: []) }
        switch IgnoreChange.from(old, to: new) {
        case .tightens: return IgnoreReview(heeded: new, loosening: [])
        case .loosens(let lines): return IgnoreReview(heeded: old, loosening: lines)
        }
    }
}

/// The same for all ignore files of a folder, as one look meets them.
package struct RulesReview: Equatable, Sendable {
    /// What is agreed to, by the folder that the file lies in.
    package private(set) var heeded: [Place: String]
    /// What the files say now.
    package private(set) var texts: [Place: String] = [:]
    /// Lines that wait for a person's word.
    package private(set) var loosened: [Place: [String]] = [:]
    /// Nothing was ever left out here by a file: so nothing can be taken in again.
    private let isFirst: Bool

    package init(_ heeded: [Place: String]) {
        self.heeded = heeded
        isFirst = heeded.isEmpty
    }

    package mutating func take(_ text: String?, in folder: Place, isFromHere: Bool) {
        if text == nil, heeded[folder] == nil { return }
        let review = IgnoreReview.of(text, heeded: heeded[folder], isFromHere: isFromHere || isFirst)
        texts[folder] = text
        heeded[folder] = review.heeded.isEmpty ? nil : review.heeded
        loosened[folder] = review.loosening.isEmpty ? nil : review.loosening
    }

    /// What is agreed to once a person has said so.
    package var agreed: [Place: String] {
        var agreed = heeded
        for folder in loosened.keys { agreed[folder] = texts[folder] }
        return agreed
    }
}
