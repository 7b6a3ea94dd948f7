import BothyContent
import BothyContract
import BothySync

/// A bound folder that goes from under its device, and comes back.
extension SimulatedDisk {
    enum Away {
        case nowhere
        /// An empty mount point is in its place.
        case elsewhere(DiskModel)
        /// The folder is there, and what was in it is not.
        case outOfSight(DiskModel.Detached)
    }

    /// There is no such folder.
    var isGone: Bool {
        if case .nowhere = away { true } else { false }
    }

    /// It is there itself, and looks as if its person had deleted what was in it.
    var looksEmptied: Bool {
        if case .outOfSight = away { true } else { false }
    }

    /// A mount point lies on another disk than what is mounted there.
    var device: UInt64 {
        if case .elsewhere = away { 2 } else { 1 }
    }

    /// What each file holds that was in a folder which looks empty by now.
    var outOfSight: [(path: [String], bytes: [UInt8])] {
        if case .outOfSight(let part) = away { part.files } else { [] }
    }

    /// Nobody works in it meanwhile.
    package var isAway: Bool { away != nil }

    /// Programs write into it meanwhile, as if nothing were missing: once a pass has seen it empty, so that a guard knows.
    package var isWrittenInto: Bool { looksEmptied && wasSeenEmpty }

    /// - Parameter now: when a mount point was made, if there is one.
    /// - Returns: false, and nothing done, where it was never bound, or is away already.
    func goAway(_ fate: FolderFate, now: Timestamp) -> Bool {
        guard away == nil, model.exists(Self.markFile) else { return false }
        switch fate {
        case .vanishes: away = .nowhere
        case .unmounted:
            away = .elsewhere(model)
            model = DiskModel(nature: model.nature, now: now)
        case .emptied:
            // One thing that goes is no emptied disk.
            guard model.names(in: []).count > 2 else { return false }
            away = .outOfSight(model.takeOut(butFor: PrivateNames.folder))
        case .replaced: model.copyToNewDisk()
        case .back, .givenUp: return false
        }
        wasSeenEmpty = false
        return true
    }

    func comeBack() -> Bool {
        switch away {
        case .nowhere: break
        case .elsewhere(let whole):
            model = whole
            model.mountAnew()
        case .outOfSight(let part): model.putBack(part)
        case nil: return false
        }
        away = nil
        return true
    }

    /// - Returns: what was in it and is gone for good; nil where it does not look as if its person had deleted it.
    func giveUp() -> [(path: [String], bytes: [UInt8])]? {
        guard case .outOfSight(let part) = away else { return nil }
        away = nil
        return part.files
    }
}
