import BothyContract

/// Why something in a synced folder, or elsewhere, is as it is.
public indirect enum PlaceCause: Equatable, Sendable {
    case atRest
    /// Something is to be done about it.
    case planned(DeedReason)
    /// Both sides changed it, and a person is to choose.
    case conflict
    /// Both sides have made a file of this name, and a person is to choose.
    case conflictOfNewFiles
    case unsynced(UnsyncedReason)
    case leftOut(rule: LeavingRule, source: String)
    case held(HoldReason)
    /// What is not synced for this reason stands in its place here.
    case placeTaken(by: HoldReason)
    /// Its whole folder waits for a person.
    case guarded(GuardSaw)
    /// Both sides had it, and agree that it is gone.
    case gone(DeedReason)
    /// Both sides have it elsewhere by now.
    case moved(to: String)
    /// It is Bothy's own.
    case own
    /// Neither side has it, and nothing was agreed on.
    case unknown
    /// The server has it, and no folder here is to.
    case onTheServer
    /// It is in no synced folder.
    case outside

    // MARK: - Of this device and its way to the server

    /// The last try at what is planned for it came to this.
    case failed(ClientFailure)
    /// Automatic work is held on this device.
    case devicePaused(until: Timestamp?)
    /// Automatic work is held until this device is plugged in, or in another network.
    case deviceRests(DeviceRest)
    /// Nothing is running that would do it.
    case nobodyAtWork
    /// There is no way to the server now.
    case offline(ClientFailure)
    /// The server takes nothing from this device.
    case refused(ClientFailure)
    /// Its bytes are being moved, or held back.
    case transfer(TransferState)
    /// Something that was done about it waits to be sent, or was not taken.
    case operation(JournalOperation.State)

    // MARK: - Of what is in a folder, and of what a folder is in

    /// The folder is at rest itself, and so many things in it are not; one of them is at `place`.
    case below(count: Int, place: String, PlaceCause)
    /// It is in something that is held back itself, at `place`.
    case above(place: String, PlaceCause)
    /// It goes where the folder at `place` goes, which it is in.
    case along(place: String, DeedReason)
    /// It was agreed on in the place that was asked about, and is at `place` here by now.
    case elsewhere(place: String, PlaceCause)
}
