/// Who a request comes from, once its token has been checked.
package struct Caller: Hashable, Sendable {
    package var userId: Int64
    /// An account has one drive.
    package var driveId: Int64
    package var deviceId: String
    /// The sign-in of the device that it comes by. A long wait checks that it still holds.
    package var session: Int64?

    package init(userId: Int64, driveId: Int64, deviceId: String, session: Int64? = nil) {
        self.userId = userId
        self.driveId = driveId
        self.deviceId = deviceId
        self.session = session
    }
}
