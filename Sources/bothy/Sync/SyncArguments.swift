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

    /// `fork, keep both versions`.
    var words: String {
        let meaning =
            switch self {
            case .fork: "keep both versions"
            case .ask: "ask you"
            case .merge: "merge texts, otherwise keep both"
            case .lastWrite: "the last version wins, the other stays in the history"
            }
        return "\(rawValue), \(meaning)"
    }

    static let names = allCases.map(\.rawValue).joined(separator: ", ")

    static let list =
        "fork (keep both versions), ask (ask you), merge (merge texts), last-write (the last version wins)"
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
