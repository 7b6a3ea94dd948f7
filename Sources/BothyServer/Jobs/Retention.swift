/// How long things are kept, in lived seconds.
package enum Retention {
    private static let day: Int64 = 86_400

    package static let trash = 30 * day
    /// What a request id led to.
    package static let outcomes = 30 * day
    /// What people were told of what others did.
    package static let notifications = 30 * day
    /// What a restore would do; a new dry run costs seconds.
    package static let plans = day
    /// The memory of what was deleted for good.
    package static let deletions = 365 * day
    /// The change log, and with it the drive as it was; a device that was away for longer links again.
    package static let changes = 365 * day
}
