import Foundation

/// How many made-up cases a property is tried on: a few with each run of the tests, and `BOTHY_CASES` in the long ones.
enum PropertyCases {
    static func seeds(_ few: UInt64) -> Range<UInt64> {
        0..<(ProcessInfo.processInfo.environment["BOTHY_CASES"].flatMap { UInt64($0) } ?? few)
    }
}
