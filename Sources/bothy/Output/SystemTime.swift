import BothyContract
import Foundation

/// What time it is.
enum SystemTime {
    static func now() -> Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
}
