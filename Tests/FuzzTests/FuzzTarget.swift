import Testing

/// Something that reads what comes from outside, and what must hold whatever that is.
struct FuzzTarget: Sendable, CustomTestStringConvertible {
    /// Also the folder of its seeds.
    var name: String
    /// Whether each line of those files is a seed of its own.
    var seedsAreLines = false
    /// Words of its language, which chance alone would hardly find.
    var words: [[UInt8]]
    /// Throws ``FuzzFinding`` where something does not hold; what traps ends the process.
    var check: @Sendable ([UInt8]) throws -> Void

    init(
        _ name: String, seedsAreLines: Bool = false, words: [String],
        check: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        self.name = name
        self.seedsAreLines = seedsAreLines
        self.words = words.map { Array($0.utf8) }
        self.check = check
    }

    var testDescription: String { name }

    static let all: [FuzzTarget] = [
        .batchBodies, .contentBatches, .multipart, .ranges, .contentRanges, .ignoreFiles, .plans, .blockLists,
        .packRecords, .frames, .streams, .patches, .sketches, .postTexts,
    ]
}

/// What does not hold, and for what.
struct FuzzFinding: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// - Throws: ``FuzzFinding`` in these words unless `holds`.
func require(_ holds: Bool, _ words: @autoclosure () -> String) throws {
    if !holds { throw FuzzFinding(words()) }
}
