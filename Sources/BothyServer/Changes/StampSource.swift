import BothyContract

/// Makes the stamps of changes: the calendar, lived seconds and ids of this server.
package struct StampSource: Sendable {
    private let clock: any ServerClock
    private let lived: @Sendable () -> Int64
    private let ids: IDSource

    /// - Parameter lived: seconds that the server has lived, over its restarts.
    package init(clock: any ServerClock, lived: @escaping @Sendable () -> Int64, ids: IDSource = IDSource()) {
        self.clock = clock
        self.lived = lived
        self.ids = ids
    }

    package var now: Timestamp { clock.now() }

    package func stamp(for caller: Caller) -> ChangeStamp {
        stamp(driveId: caller.driveId, deviceId: caller.deviceId)
    }

    package func stamp(driveId: Int64, deviceId: String?) -> ChangeStamp {
        ChangeStamp(driveId: driveId, deviceId: deviceId, now: clock.now(), lived: lived(), ids: ids)
    }
}
