import BothyClient

/// Why an action is taken.
package typealias Reason = DeedReason
