/// One thing that happens in a world. A schedule is a list of them, and says everything: what was left to chance is in
/// it as numbers, so that a shorter schedule means the same things.
package indirect enum Event: Equatable, Sendable {
    /// A person does something in the folder of a device.
    case person(device: Int, Deed)
    /// A program of that person does something with a file there.
    case program(device: Int, ProgramDeed)
    /// A person does something on the server directly, as from a browser.
    case web(WebDeed)
    /// A person does something at the replica of a device.
    case intent(device: Int, Intent)
    /// The replica of a device sends what waits and asks what is new, while this goes on around it.
    case exchange(device: Int, PassConditions)
    /// The engine of a device makes a pass, while this goes on around it.
    case pass(device: Int, PassConditions)
    /// The power of a device goes: what was not synced to its disk may be lost.
    case powerCut(device: Int, dice: UInt64)
    /// Some seconds go by, and everything that a device wrote reaches its disk.
    case settle(device: Int)
    /// A device's calendar jumps.
    case clockJump(device: Int, seconds: Int64)
    /// Requests that a slow network held arrive.
    case arrivals
    /// Everyone lives on for a while: trash and memories age.
    case days(Int)
    /// The server forgets its log so far: cursors from before expire.
    case forgetLog
    /// A backup of the server is made; or it is put back to the last one.
    case backup, restore
    /// A person decides about something that waits for that: a conflict, or what was deleted elsewhere.
    case decide(device: Int, thing: Int, choice: Int)
    /// Something becomes of the bound folder of a device.
    case folder(device: Int, FolderFate)
    /// A device's disk fills up, except for so many bytes; with nil it has room again.
    case diskRoom(device: Int, bytes: Int?)
    /// The account's quota is used up, except for so many bytes; with nil it has none.
    case quotaRoom(bytes: Int?)
}

/// What becomes of a bound folder, and of a person's eyes on it.
package enum FolderFate: String, CaseIterable, Sendable {
    /// It is not there: renamed by somebody, or its disk is not plugged in.
    case vanishes
    /// An empty mount point is in its place.
    case unmounted
    /// What was in it is not: its disk has lost it, or no longer shows it.
    case emptied
    /// Another folder with all that was in it has its place, as after a disk was copied to a new one.
    case replaced
    /// It is there again, with all that was in it.
    case back
    /// What was in it is gone for good, and its person says that this is meant so.
    case givenUp

    var words: String {
        switch self {
        case .vanishes: "the folder is not there any more"
        case .unmounted: "the disk of the folder is unmounted"
        case .emptied: "the folder is empty all of a sudden"
        case .replaced: "the folder is on another disk now"
        case .back: "the folder is back"
        case .givenUp: "a person confirms that everything is deleted"
        }
    }
}

/// What is around one pass of a device's engine, or one exchange of its replica.
package struct PassConditions: Equatable, Sendable {
    /// Decides what the network does to each request.
    package var dice: UInt64
    package var faults: NetworkFaults
    /// The device crashes at this one of its calls to disk and network, counted from 1.
    package var crashAt: Int?
    /// Things that happen just before one of these calls, in order.
    package var interruptions: [Interruption]

    package struct Interruption: Equatable, Sendable {
        package var call: Int
        package var event: Event

        package init(call: Int, event: Event) {
            self.call = call
            self.event = event
        }
    }

    package init(
        dice: UInt64 = 0, faults: NetworkFaults = .none, crashAt: Int? = nil, interruptions: [Interruption] = []
    ) {
        self.dice = dice
        self.faults = faults
        self.crashAt = crashAt
        self.interruptions = interruptions
    }
}

/// What a person does in a folder. Numbers pick among what is there when it happens.
package enum Deed: Equatable, Sendable {
    case create(folder: Int, name: Int, content: Content)
    case edit(file: Int, content: Content, Saving)
    case makeFolder(parent: Int, name: Int)
    case rename(thing: Int, name: Int)
    case move(thing: Int, folder: Int)
    case delete(thing: Int)
    case copy(file: Int, folder: Int, name: Int)
    /// Two files change names, by way of a third name.
    case swap(Int, Int)
    /// A file goes, and a folder of its name comes.
    case fileBecomesFolder(file: Int)
    /// A folder goes with all in it, and a file of its name comes.
    case folderBecomesFile(folder: Int, content: Content)
    case setExecutable(file: Int, Bool)
    case touch(file: Int)
    case link(folder: Int, name: Int)

    var isCreation: Bool { if case .create = self { true } else { false } }

    /// How an editor saves.
    package enum Saving: String, CaseIterable, Sendable {
        case inPlace
        /// Writes beside the file and renames over it: another inode.
        case byRename
        /// Renames the old file to a backup, then writes the new one.
        case keepingBackup
        /// The same size, and the old time put back: only the inode's own time tells.
        case lyingAboutTime
    }
}

/// What a program does that has a file open for a while. Numbers pick among what is there, or open, when it happens.
package enum ProgramDeed: Equatable, Sendable {
    case opens(file: Int)
    case writes(file: Int, Content)
    case closes(file: Int)
}

/// What a person does on the server.
package enum WebDeed: Equatable, Sendable {
    case makeFolder(parent: Int, name: Int)
    case upload(folder: Int, name: Int, content: Content)
    case edit(file: Int, content: Content)
    case rename(thing: Int, name: Int)
    case move(thing: Int, folder: Int)
    case trash(thing: Int)
    case untrash(Int)
    case deletePermanently(thing: Int)
}

/// What a file holds.
package enum Content: Equatable, Sendable {
    /// Never written anywhere else.
    case unique(Int)
    /// One of a few that are written everywhere, so that equal content meets.
    case familiar(Int)

    package var bytes: [UInt8] {
        switch self {
        case .unique(let number): Array("unique \(number)\n\0".utf8) + Array(repeating: 46, count: number % 5)
        case .familiar(let number): Array("familiar \(number)\n\0".utf8)
        }
    }

    package var isFamiliar: Bool {
        if case .familiar = self { true } else { false }
    }

    package var words: String {
        switch self {
        case .unique(let number): "«\(number)»"
        case .familiar(let number): "«familiar \(number)»"
        }
    }
}
