/// Who a request comes from, once its token has been checked.
package struct Caller: Hashable, Sendable {
    package var userId: Int64
    /// An account has one drive.
    package var driveId: Int64
    package var deviceId: String

    package init(userId: Int64, driveId: Int64, deviceId: String) {
        self.userId = userId
        self.driveId = driveId
        self.deviceId = deviceId
    }
}
