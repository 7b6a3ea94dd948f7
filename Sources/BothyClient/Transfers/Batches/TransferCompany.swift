import Synchronization

/// Small files that go together, up or down, with as few steps as one of them would take.
///
/// Each is a transfer of its own, and its machine decides as ever. But a runner of its own, with its letters and tasks, costs more than
/// the bytes of a small file do. So that is only for those that do not go the usual way, and for those of whom something is asked: they
/// leave at once, and wait for no other.
protocol TransferCompany: AnyObject, Sendable {
    /// Returns when all have ended.
    ///
    /// - Parameter tell: told how those ended that did since the last time, by their places among all; of those that have left that says
    ///   nothing.
    func run(_ tell: @Sendable ([(place: Int, end: CompanyEnd)]) async -> Void) async

    /// One goes its own way from now on: nothing of it is done here any more.
    ///
    /// - Parameter id: the transfer's.
    /// - Returns: false where it is through already, or is about to be, whatever becomes of the others.
    func leave(_ id: String) -> Bool
}

/// Indirect, since it is handed on for each of many files, with all that is known of it.
indirect enum CompanyEnd: Sendable {
    /// It is completed, and its record says so.
    case through(TransferEnd)
    case left(Departure)
}

/// Why one that went with others has a runner of its own from then on. Indirect, since it is rare beside what it is told with, and has a machine.
indirect enum Departure: Sendable {
    case asked(TransferWish)
    /// Something happened while its machine was like this, and that is what the machine is told first.
    case upload(UploadMachine, UploadMachine.Event)
    case download(DownloadMachine, DownloadMachine.Event)
    /// It is looked at from the beginning: a request that is made again is answered the same.
    case unusual

    /// Whether its runner begins anew.
    var begins: Bool { if case .unusual = self { true } else { false } }

    /// Whether it does not come along with others once more.
    var goesAlone: Bool {
        switch self {
        case .asked, .unusual, .download(_, .notReceived), .download(_, .receivedCorrupted): true
        case .upload, .download: false
        }
    }
}

/// Which have left a company, and which can no longer.
final class CompanyRoll: Sendable {
    private struct State {
        var left = Set<String>()
        var staying = Set<String>()
    }

    /// By the transfers' ids.
    private let state = Mutex(State())

    /// - Returns: false for one that stays.
    func leave(_ id: String) -> Bool {
        state.withLock { state in
            guard !state.staying.contains(id) else { return false }
            state.left.insert(id)
            return true
        }
    }

    func hasLeft(_ id: String) -> Bool { state.withLock { $0.left.contains(id) } }

    /// - Returns: false for one that has left; any other does not leave from now on.
    func keep(_ id: String) -> Bool {
        state.withLock { state in
            guard !state.left.contains(id) else { return false }
            state.staying.insert(id)
            return true
        }
    }
}
