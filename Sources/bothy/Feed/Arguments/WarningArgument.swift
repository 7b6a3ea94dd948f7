import ArgumentParser
import BothyContract

/// A content warning as somebody types it.
enum WarningArgument {
    /// - Throws: a usage error for one that is too long.
    static func validate(_ typed: String?) throws {
        guard let typed, typed.unicodeScalars.count > FeedLimits.maximumContentWarning else { return }
        throw ValidationError("A content warning has at most \(FeedLimits.maximumContentWarning) characters.")
    }
}
