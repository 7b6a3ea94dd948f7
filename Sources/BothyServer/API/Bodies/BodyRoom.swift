import BothyContract
import NIOCore
import Synchronization

/// The memory that bodies of requests may take, over all connections: thousands of them, each with some MiB that come
/// slowly, would take all there is.
///
/// What is stored as it comes takes none of it.
final class BodyRoom: Sendable {
    /// The caller that takes of it.
    enum Taker: Hashable, Sendable {
        case drive(Int64)
        /// A caller that is not signed in, by the network that it comes from, as sign-ins are slowed by.
        case stranger(network: String)

        init(_ context: APIContext) {
            self = context.caller.map { .drive($0.driveId) } ?? .stranger(network: context.client.origin.network)
        }

        fileprivate var isStranger: Bool { if case .stranger = self { true } else { false } }
    }

    /// Bytes of the bodies that routes collect.
    struct Bounds: Sendable {
        var all = 256 << 20
        /// Of one account's, and of all strangers', which leaves as much to the others.
        var drive = 128 << 20
        /// Of those that come from one network without being signed in, so that a flood from there keeps nobody else out.
        var network = 16 << 20
        /// Of `all`, what those who are signed in leave to the others, so that somebody can still sign in.
        var leftToStrangers = 32 << 20
    }

    private let bounds: Bounds
    private let state = Mutex(State())

    private struct State {
        var total = 0
        var strangers = 0
        var takers = [Taker: Int]()

        mutating func add(_ bytes: Int, of taker: Taker) {
            total += bytes
            if taker.isStranger { strangers += bytes }
            let own = takers[taker, default: 0] + bytes
            takers[taker] = own > 0 ? own : nil
        }
    }

    init(_ bounds: Bounds = Bounds()) { self.bounds = bounds }

    /// Bytes that are taken.
    var taken: Int { state.withLock { $0.total } }

    /// - Throws: `busy` where there is no room for so many more.
    func take(_ bytes: Int, of taker: Taker) throws(Problem) {
        let bounds = bounds
        let fits = state.withLock { state -> Bool in
            let own = state.takers[taker, default: 0] + bytes
            guard own <= (taker.isStranger ? bounds.network : bounds.drive), state.total + bytes <= bounds.all else {
                return false
            }
            let ofItsKind = bytes + (taker.isStranger ? state.strangers : state.total - state.strangers)
            guard ofItsKind <= (taker.isStranger ? bounds.drive : bounds.all - bounds.leftToStrangers) else {
                return false
            }
            state.add(bytes, of: taker)
            return true
        }
        if fits { return }
        throw Problem(.busy, "Too much is being sent at once. Try again in a moment.")
    }

    func giveBack(_ bytes: Int, of taker: Taker) { state.withLock { $0.add(-bytes, of: taker) } }
}

/// What one request has of the room, until it is answered.
final class BodyClaim: Sendable {
    private struct State {
        var taker: BodyRoom.Taker?
        var bytes = 0
    }

    private let room: BodyRoom
    private let state = Mutex(State())

    init(_ room: BodyRoom) { self.room = room }

    /// - Throws: `busy`.
    func take(_ bytes: Int, of taker: BodyRoom.Taker) throws(Problem) {
        try room.take(bytes, of: taker)
        state.withLock { $0 = State(taker: taker, bytes: $0.bytes + bytes) }
    }

    func end() {
        let held = state.withLock { state -> State in
            defer { state.bytes = 0 }
            return state
        }
        if let taker = held.taker { room.giveBack(held.bytes, of: taker) }
    }
}

/// A body that is kept in memory as it comes, and takes its room there.
struct ClaimedBody<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element == ByteBuffer {
    private let base: Base
    private let claim: BodyClaim?
    private let taker: BodyRoom.Taker

    init(_ base: Base, for context: APIContext) {
        self.base = base
        claim = context.claim
        taker = BodyRoom.Taker(context)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: Base.AsyncIterator
        fileprivate let claim: BodyClaim?
        fileprivate let taker: BodyRoom.Taker

        mutating func next() async throws -> ByteBuffer? {
            guard let part = try await base.next(isolation: nil) else { return nil }
            try claim?.take(part.readableBytes, of: taker)
            return part
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), claim: claim, taker: taker)
    }
}
