import Synchronization

/// What a request's handlers know that its line in the log should say.
package final class RequestNotes: Sendable {
    private let device = Mutex<String?>(nil)

    package init() {}

    package func caller(_ deviceId: String) { device.withLock { $0 = deviceId } }

    package var deviceId: String? { device.withLock { $0 } }
}
