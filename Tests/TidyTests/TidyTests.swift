import Testing

/// Holds every file to the rules of the house, and every rule to being one that can fail.
@Suite struct TidyTests {
    static let rules = [
        ImportRules.arrows, ImportRules.databaseDriver,
        DiskRules.packFiles, DiskRules.clientDatabases,
        NamingRules.emptyTypeNames, NamingRules.emptyFileNames, NamingRules.sharedObjects, NamingRules.finalClasses,
        WireRules.once,
        WordsRules.sentences, WordsRules.failures,
        SizeRules.files, SizeRules.leftovers,
        FailureRules.reasons, FailureRules.emptyCatches,
    ]

    @Test(arguments: rules)
    func everyFileKeepsTheRule(_ rule: Rule) throws {
        let files = try SourceTree.files(in: rule.folders)
        #expect(files.count > 40, "the walk found the sources")
        for offence in files.flatMap(rule.offences) {
            Issue.record("\(rule.name): \(offence)")
        }
    }

    @Test(arguments: rules)
    func aPlantedOffenceIsFound(_ rule: Rule) {
        for planted in rule.planted {
            let offences = rule.offences(SourceFile(path: planted.path, text: planted.text))
            #expect(!offences.isEmpty, "\(rule.name): not seen in \(planted.text)")
        }
        #expect(!rule.planted.isEmpty)
    }

    @Test func theRulesAreTheTableThatPeopleRead() throws {
        let table = try ArchitectureTable.read()
        let rules = ImportRules.allowed.filter { $0.key != "Benchmarks" && !ImportRules.leaves.contains($0.key) }
        #expect(table.count == rules.count)
        for (target, names) in rules { #expect(table[target] == names, "\(target)") }
    }

    @Test func theRoomsAreThoseThatPeopleReadOf() throws {
        for (target, named) in try ArchitectureTable.rooms() {
            let paths = try SourceTree.rooms(below: target == "Simulation" ? target : "Sources/\(target)")
            let rooms = Set(paths.filter { !$0.contains("/") })
            let all = Set(paths.compactMap { $0.split(separator: "/").last.map(String.init) })
            #expect(!rooms.isEmpty && rooms.subtracting(named).isEmpty, "\(target): rooms that the page does not name")
            #expect(named.subtracting(all).isEmpty, "\(target): rooms that are not there")
        }
        #expect(try Set(ArchitectureTable.rooms().keys) == Set(ArchitectureTable.read().keys))
    }

    @Test func whatTheTableAllowsPasses() {
        let allowed = [
            ("Sources/BothyServer/Files/A.swift", "import BothyContract\nimport CShims\nimport Foundation\n"),
            ("Sources/bothy/Put.swift", "import BothyClient\nimport BothyServer\n"),
            ("Sources/BothyServer/Database/SQLite/B.swift", "import GRDB\n"),
            ("Sources/BothyClient/Replica/C.swift", "import GRDB // not import BothyServer\n"),
        ]
        for (path, text) in allowed {
            let file = SourceFile(path: path, text: text)
            let offences = ImportRules.arrows.offences(file) + ImportRules.databaseDriver.offences(file)
            #expect(offences.isEmpty, "\(offences)")
        }
    }

    @Test func base64IsNoBaseAndCommentsAreNoCode() {
        #expect(NamingRules.words(of: "Base64Text") == ["Base64", "Text"])
        #expect(NamingRules.words(of: "HTTPHelper") == ["HTTP", "Helper"])
        #expect(
            SourceFile(path: "a", text: "let url = \"http://a\" // pread(x)").code[0].text == "let url = \"http://a\" ")
    }

    @Test func theWireStringsWereRead() {
        #expect(WireRules.strings.contains("X-Chunk-Hash") && WireRules.strings.contains("Bothy-Cursor"))
    }
}
