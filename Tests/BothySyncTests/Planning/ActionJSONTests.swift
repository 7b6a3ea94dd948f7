import BothyContract
import Foundation
import Testing

@testable import BothySync

/// What spells its own JSON says what `JSONEncoder` says, byte for byte: an action is known again by it after a crash.
@Suite struct ActionJSONTests {
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return encoder
    }()

    private func encoded(_ value: some Encodable) throws -> String {
        String(decoding: try Self.encoder.encode(value), as: UTF8.self)
    }

    private static let texts = ["a", "", "Ω/日本", "\"quoted\"\\", "line\nfeed\u{1}", "e\u{301}"]
    private static let moments = [
        Timestamp(seconds: 0), Timestamp(seconds: -1, nanoseconds: 1),
        Timestamp(seconds: 1_795_000_000, nanoseconds: 42_000),
    ]

    private struct Dice {
        var random: SeededGenerator

        mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
        mutating func maybe<Value>(_ value: Value) -> Value? { below(2) == 0 ? value : nil }
        mutating func place() -> Place { Place(text: pick(texts)) }
        mutating func hash() -> ContentHash? { maybe(PlannedWorld.hash(below(9))) }

        mutating func spot() -> Spot {
            Spot(place(), folderId: maybe(pick(texts)), remoteName: NodeName(pick(texts)))
        }

        mutating func mine() -> LocalFingerprint {
            let stamp = LocalStamp(
                inode: pick([0, 9, .max]), size: pick([0, 12, .max]), modifiedAt: pick(moments),
                changedAt: pick(moments), bornAt: maybe(pick(moments)))
            return LocalFingerprint(LocalFacts(kind: pick([.file, .folder]), stamp: stamp, hash: hash()))
        }

        mutating func theirs() -> RemoteFingerprint {
            RemoteFingerprint(
                RemoteFacts(
                    id: pick(texts), kind: pick([.file, .folder]), headRevisionId: maybe(pick(texts)), checksum: hash(),
                    size: pick([0, 1, .max]), modifiedAt: pick(moments), version: pick([1, 10, .max])))
        }

        mutating func steps() -> [Step] {
            let (id, flag, count) = (pick(texts), below(2) == 0, below(20))
            return [
                .record(at: spot(), mine: mine(), theirs: theirs()),
                .forget(remoteId: id, at: place()),
                .leaveOut(remoteId: id, at: place()),
                .rebind(remoteId: id, to: theirs(), at: place()),
                .markUnsynced(remoteId: id, at: spot(), mine: maybe(mine()), pick([.deletedElsewhere, .takenBack])),
                .makeRemoteFolder(at: spot(), mine: mine(), insteadOf: maybe(id)),
                .upload(at: spot(), mine: mine(), over: maybe(theirs()), insteadOf: maybe(id)),
                .moveRemote(theirs(), at: place(), to: spot(), settles: flag),
                .untrashRemote(theirs(), at: spot()),
                .trashRemote(theirs(), at: place(), count: count),
                .touchRemote(theirs(), at: place(), modifiedAt: pick(moments), executable: flag),
                .makeLocalFolder(at: spot(), theirs: theirs()),
                .download(at: spot(), theirs: theirs(), over: maybe(mine())),
                .moveLocal(mine(), remoteId: maybe(id), from: place(), to: spot(), settles: flag),
                .setAside(mine(), remoteId: maybe(id), from: place(), to: place()),
                .trashLocal(mine(), remoteId: id, at: place(), count: count),
                .touchLocal(mine(), remoteId: id, at: place(), modifiedAt: pick(moments), executable: flag),
                .merge(at: place(), base: maybe(id), mine: mine(), theirs: theirs()),
            ]
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>) func everyActionIsSpelledAsTheEncoderSpellsIt(seed: UInt64) throws {
        var dice = Dice(random: SeededGenerator(seed: seed))
        let actions = dice.steps().map { Action($0, dice.pick(Reason.allCases)) }
        for action in actions {
            #expect(JSONColumn.spelled(action) == (try encoded(action)))
            #expect(try JSONColumn.read(Action.self, JSONColumn.spelled(action)) == action)
        }
        #expect(JSONColumn.spelled(actions) == (try encoded(actions)))
    }

    @Test(arguments: 0..<60 as Range<UInt64>) func everyTraceIsSpelledAsTheEncoderSpellsIt(seed: UInt64) throws {
        var dice = Dice(random: SeededGenerator(seed: seed))
        var trace = Decision.Trace(remoteId: dice.maybe(dice.pick(Self.texts)), keep: dice.maybe(dice.pick(Self.texts)))
        trace.content = dice.hash()
        trace.isLinking = dice.maybe(dice.below(2) == 0)
        trace.was = dice.maybe(RemoteSpot(folderId: dice.pick(Self.texts), name: dice.place().name))
        #expect(try trace.json() == encoded(trace))
        for unusual: (inout Decision.Trace) -> Void in [
            { $0.couldNotMerge = true },
            { $0.replaced = dice.theirs() }, { $0.from = dice.place() }, { $0.reversed = 4 },
        ] {
            var other = trace
            unusual(&other)
            #expect(try other.json() == encoded(other))
        }
    }
}
