import BothyContract
import NIOCore
import Synchronization

/// The memory that bodies of requests may take, over all connections: thousands of them, each with some MiB that come
/// slowly, would take all there is.
///
/// What is stored as it comes takes none of it.
final class BodyRoom: Sendable {
    /// Bytes of the bodies that routes collect, in all, and of one account's, which leaves as much to the others.
    private let most: Int
    private let mostOfDrive: Int
    /// Bytes of `most` that those who are signed in leave to the others, so that somebody can still sign in.
    private let leftToStrangers: Int
    private let state = Mutex(State())

    private struct State {
        var total = 0
        /// Nil are those who are not signed in.
        var drives = [Int64?: Int]()
    }

    init(most: Int = 256 << 20, mostOfDrive: Int = 128 << 20, leftToStrangers: Int = 32 << 20) {
        self.most = most
        self.mostOfDrive = mostOfDrive
        self.leftToStrangers = leftToStrangers
    }

    /// Bytes that are taken.
    var taken: Int { state.withLock { $0.total } }

    /// - Throws: `busy` where there is no room for so many more.
    func take(_ bytes: Int, of drive: Int64?) throws(Problem) {
        let (most, mostOfDrive, mostOfDrives) = (most, mostOfDrive, most - leftToStrangers)
        let fits = state.withLock { state -> Bool in
            let own = state.drives[drive, default: 0] + bytes
            guard own <= mostOfDrive, state.total + bytes <= most else { return false }
            let signedIn = state.total - state.drives[nil, default: 0]
            guard drive == nil || signedIn + bytes <= mostOfDrives else { return false }
            state.drives[drive] = own
            state.total += bytes
            return true
        }
        if fits { return }
        throw Problem(.busy, "Too much is being sent at once. Try again in a moment.")
    }

    func giveBack(_ bytes: Int, of drive: Int64?) {
        state.withLock { state in
            state.total -= bytes
            let own = state.drives[drive, default: 0] - bytes
            state.drives[drive] = own > 0 ? own : nil
        }
    }
}

/// What one request has of the room, until it is answered.
final class BodyClaim: Sendable {
    private struct State {
        var drive: Int64?
        var bytes = 0
    }

    private let room: BodyRoom
    private let state = Mutex(State())

    init(_ room: BodyRoom) { self.room = room }

    /// - Throws: `busy`.
    func take(_ bytes: Int, of drive: Int64?) throws(Problem) {
        try room.take(bytes, of: drive)
        state.withLock { $0 = State(drive: drive, bytes: $0.bytes + bytes) }
    }

    func end() {
        let held = state.withLock { state -> State in
            defer { state.bytes = 0 }
            return state
        }
        room.giveBack(held.bytes, of: held.drive)
    }
}

/// A body that is kept in memory as it comes, and takes its room there.
struct ClaimedBody<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element == ByteBuffer {
    private let base: Base
    private let claim: BodyClaim?
    private let drive: Int64?

    init(_ base: Base, for context: APIContext) {
        self.base = base
        claim = context.claim
        drive = context.caller?.driveId
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: Base.AsyncIterator
        fileprivate let claim: BodyClaim?
        fileprivate let drive: Int64?

        mutating func next() async throws -> ByteBuffer? {
            guard let part = try await base.next(isolation: nil) else { return nil }
            try claim?.take(part.readableBytes, of: drive)
            return part
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), claim: claim, drive: drive)
    }
}
