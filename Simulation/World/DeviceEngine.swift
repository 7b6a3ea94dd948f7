/// What keeps a device's folder in step with the server: made anew after each crash, from what the device still has.
package protocol DeviceEngine: AnyObject {
    /// Makes one pass.
    ///
    /// - Parameter confirming: a person says yes to whatever a guard holds back.
    /// - Returns: how many things it did or still has to do; 0 when it is at rest.
    func pass(confirming: Bool) async throws -> Int
    /// What it keeps apart on purpose, by the paths on its disk: what a person has to decide.
    func keptApart() async throws -> [String]
}

/// Makes the engines of a world. The device keeps its disk over crashes; a database is the maker's to keep.
package protocol EngineMaker: Sendable {
    func engine(for device: SimulatedDevice) async throws -> any DeviceEngine
}
