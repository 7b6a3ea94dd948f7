import BothyContract

/// What a transaction needs to write a change: whose drive, which device, and what time it is.
package struct ChangeStamp: Sendable {
    package var driveId: Int64
    /// Nil for what the server does by itself.
    package var deviceId: String?
    package var now: Timestamp
    /// Seconds that the server has lived, for what purges.
    package var lived: Int64
    package var ids: IDSource

    package init(driveId: Int64, deviceId: String?, now: Timestamp, lived: Int64, ids: IDSource = IDSource()) {
        self.driveId = driveId
        self.deviceId = deviceId
        self.now = now
        self.lived = lived
        self.ids = ids
    }

    package func newId() -> String { ids.next(at: now) }
}
