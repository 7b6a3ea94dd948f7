/// Folders that go from under their devices, full disks, and quotas that are used up.
extension ScheduleMaker {
    private static let fates: [FolderFate] = [.vanishes, .unmounted, .emptied, .emptied, .emptied, .replaced]
    /// One event in this many is a bad day's.
    private static let rarity = 16

    /// - Parameter start: what comes before stays as it is.
    mutating func withBadDays(_ events: [Event], from start: Int) -> [Event] {
        events.indices.map { $0 >= start && roll(Self.rarity) == 0 ? badDay() : events[$0] }
    }

    private mutating func badDay() -> Event {
        switch roll(20) {
        case 0..<6:
            .folder(device: device(), Self.fates[roll(Self.fates.count)])
        case 6..<9: .folder(device: device(), .back)
        case 9: .folder(device: device(), .givenUp)
        case 10..<13: .diskRoom(device: device(), bytes: roll(60))
        case 13..<15: .diskRoom(device: device(), bytes: nil)
        case 15..<18: .quotaRoom(bytes: roll(60))
        default: .quotaRoom(bytes: nil)
        }
    }
}
