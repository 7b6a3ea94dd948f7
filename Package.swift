// swift-tools-version: 6.2
import PackageDescription

// A target exists because it forbids a dependency: ARCHITECTURE.md has the table of allowed arrows, and
// Tests/TidyTests holds every file to it.

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
    name: "bothy",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "bothy", targets: ["bothy"]),
        .executable(name: "bothy-bench", targets: ["Benchmarks"]),
        .library(name: "BothyContract", targets: ["BothyContract"]),
        .library(name: "BothyContent", targets: ["BothyContent"]),
        .library(name: "BothyClient", targets: ["BothyClient"]),
        .library(name: "BothyServer", targets: ["BothyServer"]),
        .library(name: "BothySync", targets: ["BothySync"]),
        .library(name: "BothyPresentation", targets: ["BothyPresentation"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.0"),
    ],
    targets: [
        .target(name: "CHashing"),
        .target(name: "CShims"),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "BothyContract", swiftSettings: settings),
        .target(
            name: "BothyContent",
            dependencies: [
                "BothyContract", "CHashing", "CZlib",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings),
        .target(
            name: "BothyServer",
            dependencies: [
                "BothyContent", "BothyContract", "CShims",
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "Collections", package: "swift-collections"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Yams", package: "Yams"),
            ],
            resources: [.embedInCode("Resources/openapi.yaml")],
            swiftSettings: settings),
        .target(
            name: "BothyClient",
            dependencies: [
                "BothyContent", "BothyContract", "CShims",
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Collections", package: "swift-collections"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings),
        .target(
            name: "BothySync",
            dependencies: [
                "BothyClient", "BothyContent", "BothyContract", "CShims",
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "Collections", package: "swift-collections"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .target(
            name: "BothyAgent",
            dependencies: [
                "BothyClient", "BothyContract", "BothySync", "CShims",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .target(
            name: "BothyPresentation", dependencies: ["BothyClient", "BothyContract"], swiftSettings: settings),
        .target(
            name: "BothyHosting",
            dependencies: [
                "BothyClient", "BothyContent", "BothyContract", "BothyServer",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .target(
            name: "BothyWeb",
            dependencies: [
                "BothyClient", "BothyContract", "BothyPresentation",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            resources: [
                .embedInCode("Assets/bothy.css"), .embedInCode("Assets/bothy.js"), .embedInCode("Assets/icons.svg"),
                .embedInCode("Assets/list.js"), .embedInCode("Assets/tray.js"), .embedInCode("Assets/upload.js"),
                .embedInCode("FileList/fileList.mustache"), .embedInCode("FileList/fileListContent.mustache"),
                .embedInCode("FileList/fileRow.mustache"), .embedInCode("FileList/fileActs.mustache"),
                .embedInCode("FolderPicker/folderPicker.mustache"), .embedInCode("Preview/preview.mustache"),
                .embedInCode("Rendering/fragment.mustache"), .embedInCode("Rendering/layout.mustache"),
                .embedInCode("Rendering/message.mustache"), .embedInCode("Rendering/toast.mustache"),
                .embedInCode("SignIn/signIn.mustache"), .embedInCode("SignIn/entering.mustache"),
                .embedInCode("Upload/uploadTray.mustache"),
                .embedInCode("Upload/uploadRow.mustache"), .embedInCode("Upload/uploadRows.mustache"),
                .embedInCode("Assets/archive.js"), .embedInCode("Assets/search.js"),
                .embedInCode("Rendering/question.mustache"),
                .embedInCode("Settings/settings.mustache"), .embedInCode("Storage/storage.mustache"),
                .embedInCode("Search/search.mustache"), .embedInCode("Search/found.mustache"),
                .embedInCode("Revisions/revisions.mustache"), .embedInCode("Revisions/comparison.mustache"),
                .embedInCode("Trash/trash.mustache"),
            ],
            swiftSettings: settings),
        .target(
            name: "Simulation",
            dependencies: [
                "BothyClient", "BothyContent", "BothyContract", "BothySync",
                .product(name: "Collections", package: "swift-collections"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Simulation",
            swiftSettings: settings),
        .executableTarget(
            name: "bothy",
            dependencies: [
                "BothyAgent", "BothyClient", "BothyContent", "BothyContract", "BothyHosting", "BothyServer",
                "BothySync", "BothyWeb", "CShims", "Simulation",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Benchmarks/EmptyHandler",
            swiftSettings: settings),
        .testTarget(name: "BothyContractTests", dependencies: ["BothyContract"], swiftSettings: settings),
        .testTarget(name: "BothyContentTests", dependencies: ["BothyContent"], swiftSettings: settings),
        .target(
            name: "CFaultySQLite", path: "Tests/CFaultySQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .testTarget(
            name: "BothyServerTests",
            dependencies: [
                "BothyServer", "BothyContent", "BothyContract", "CFaultySQLite",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: settings),
        .target(
            name: "DriveConformance", dependencies: ["BothyClient", "BothyContract"], path: "Tests/DriveConformance",
            swiftSettings: settings),
        .testTarget(
            name: "BothyClientTests",
            dependencies: [
                "BothyClient", "BothyContent", "BothyContract", "BothyServer", "DriveConformance", "FolderConformance",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BothySyncTests",
            dependencies: [
                "BothySync", "BothyClient", "BothyContent", "BothyContract", "BothyServer",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BothyAgentTests",
            dependencies: [
                "BothyAgent", "BothyClient", "BothyContract", "BothySync",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .target(
            name: "FolderConformance", dependencies: ["BothyClient", "BothyContract"], path: "Tests/FolderConformance",
            swiftSettings: settings),
        .testTarget(
            name: "BothyPresentationTests",
            dependencies: ["BothyPresentation", "BothyClient", "BothyContract", "FolderConformance"],
            swiftSettings: settings),
        .testTarget(
            name: "BothyHostingTests",
            dependencies: [
                "BothyHosting", "BothyClient", "BothyContract", "BothyPresentation", "BothyServer", "FolderConformance",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BothyWebTests",
            dependencies: [
                "BothyWeb", "BothyClient", "BothyContract", "BothyPresentation",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "Simulation", "BothyClient", "BothyContract", "BothySync", "DriveConformance",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BothyCommandTests",
            dependencies: [
                "bothy", "BothyClient", "BothyContract", "BothySync",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        .testTarget(name: "TidyTests", swiftSettings: settings),
    ]
)
