import BothyContract

/// A long number as somebody types it: whole, or the last digits of it.
enum EndingDigits {
    static func areDigits(_ typed: String) -> Bool {
        !typed.isEmpty && typed.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// A whole number that is the end of another one means itself.
    static func matches(_ typed: String, among numbers: [Int64]) -> [Int64] {
        if let whole = Int64(typed), numbers.contains(whole) { return [whole] }
        return numbers.filter { String($0).hasSuffix(typed) }
    }

    /// - Parameters:
    ///   - things: what has these numbers, as «draft» and «drafts».
    ///   - list: the command that lists them.
    /// - Throws: a `Complaint` where there is not exactly one.
    static func find(
        _ typed: String, among numbers: [Int64], _ things: (one: String, many: String), list: String
    ) throws -> Int64 {
        let found = matches(typed, among: numbers)
        switch found.count {
        case 1: return found[0]
        case 0:
            throw Complaint(
                .notThere, "No \(things.one) ends in \(typed).", remedy: "“\(list)” lists them.",
                status: .notThereOrInConflict)
        default:
            throw Complaint(
                .ambiguous, "\(found.count) \(things.many) end in \(typed).",
                remedy: "Give more of its digits: \(found.map(String.init).joined(separator: ", ")).",
                status: .notThereOrInConflict)
        }
    }
}
