/// The table of ARCHITECTURE.md: each target imports only what its row names, and outside packages.
enum ImportRules {
    /// `nil` allows everything of ours.
    static let allowed: [String: Set<String>?] = [
        "bothy": nil,
        "Benchmarks": nil,
        "Simulation": ["BothySync", "BothyClient", "BothyServer", "BothyContent", "BothyContract"],
        "BothyWeb": ["BothyPresentation", "BothyClient", "BothyContract"],
        "BothyHosting": ["BothyServer", "BothyClient", "BothyContent", "BothyContract"],
        "BothyPresentation": ["BothyClient", "BothyContract"],
        "BothyAgent": ["BothySync", "BothyClient", "BothyContract"],
        "BothySync": ["BothyClient", "BothyContent", "BothyContract"],
        "BothyClient": ["BothyContent", "BothyContract"],
        "BothyServer": ["BothyContent", "BothyContract"],
        "BothyContent": ["BothyContract"],
        "BothyContract": [],
        "CShims": [],
        "CHashing": [],
        "CZlib": [],
        "CZstd": [],
    ]

    /// The C targets are leaves that anyone but the words may stand on.
    static let leaves: Set<String> = ["CShims", "CHashing", "CZlib", "CZstd"]

    static let arrows = Rule.perLine(
        "a target imports only what its row in ARCHITECTURE.md names",
        planted: [
            .init(path: "Sources/BothyClient/Files/Listing.swift", text: "import BothyServer\n"),
            .init(path: "Sources/BothyPresentation/FileList/Row.swift", text: "import BothyWeb\n"),
            .init(path: "Sources/BothyWeb/FileList/Page.swift", text: "import BothyServer\n"),
            .init(path: "Sources/BothyContract/Files/File.swift", text: "@testable package import BothyContent\n"),
            .init(path: "Sources/BothyServer/Files/Tree.swift", text: "import struct BothyClient.Session\n"),
            .init(path: "Sources/BothyContract/Wire/Body.swift", text: "import CZlib\n"),
            .init(path: "Sources/BothyAttic/Box.swift", text: "import BothyContract\n"),
        ]
    ) { file, line in
        guard let module = importedModule(line), isOurs(module), module != file.target else { return nil }
        guard let row = allowed[file.target] else { return "\(file.target) has no row in the table" }
        guard let names = row else { return nil }
        if leaves.contains(module), file.target != "BothyContract" { return nil }
        return names.contains(module) ? nil : "\(file.target) may not import \(module)"
    }

    static let databaseDriver = Rule.perLine(
        "in the server only Database/SQLite imports GRDB, so that another database can stand there",
        planted: [.init(path: "Sources/BothyServer/Files/FileTable.swift", text: "import Foundation\nimport GRDB\n")]
    ) { file, line in
        guard file.target == "BothyServer", importedModule(line) == "GRDB" else { return nil }
        return file.path.hasPrefix("Sources/BothyServer/Database/SQLite/") ? nil : "imports GRDB"
    }

    static func importedModule(_ line: Substring) -> String? {
        guard line.utf8.count < 200, line.contains("import "),
            let match = line.firstMatch(
                of:
                    #/^\s*(?:(?:@\w+(?:\(\w+\))?|package|public|internal|private|fileprivate)\s+)*import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)/#
            )
        else { return nil }
        return String(match.1)
    }

    private static func isOurs(_ module: String) -> Bool {
        module.hasPrefix("Bothy") || module == "bothy" || module == "Simulation" || leaves.contains(module)
    }
}
