import ArgumentParser
import BothyClient
import BothyContract
import BothySync

/// A conflict policy as it is typed.
enum ConflictOption: String, ExpressibleByArgument, CaseIterable {
    case fork, ask, merge
    case lastWrite = "last-write"

    var policy: ConflictResolution {
        switch self {
        case .fork: .fork
        case .ask: .ask
        case .merge: .merge
        case .lastWrite: .lastWriteWins
        }
    }

    init(_ policy: ConflictResolution) {
        self =
            switch policy {
            case .fork: .fork
            case .ask: .ask
            case .merge: .merge
            case .lastWriteWins: .lastWrite
            }
    }

    /// `fork, both are kept`.
    var words: String {
        let meaning =
            switch self {
            case .fork: "both are kept"
            case .ask: "it waits for you"
            case .merge: "texts are merged, what cannot be is kept beside"
            case .lastWrite: "the last one is the newest, the other stays in the history"
            }
        return "\(rawValue), \(meaning)"
    }

    static let names = allCases.map(\.rawValue).joined(separator: ", ")

    static let list =
        "fork (both are kept), ask (it waits for you), merge (texts are merged), last-write (the other stays in the history)"
}

/// A size as it is typed: `100M`, `1.5GiB`, or `off`.
struct SizeLimit: ExpressibleByArgument, Equatable {
    /// Nil for none.
    var bytes: Int64?

    init?(argument: String) {
        if argument.lowercased() == "off" { return }
        guard let bytes = ByteText.parse(argument) else { return nil }
        self.bytes = bytes
    }
}

extension DeletionPolicy: ExpressibleByArgument {}
