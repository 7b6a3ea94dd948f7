import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The files that pages are made with, out of the binary. Each is at an address that changes with its content, so
/// browsers keep it for good.
struct Assets: Sendable {
    enum Name: String, CaseIterable, Sendable {
        case style = "bothy.css"
        case feedStyle = "feed.css"
        case script = "bothy.js"
        case listScript = "list.js"
        case hearingScript = "hearing.js"
        case handScript = "hand.js"
        case hashScript = "sha256.js"
        case uploadScript = "upload.js"
        case trayScript = "tray.js"
        case searchScript = "search.js"
        case archiveScript = "archive.js"
        case streamsScript = "streams.js"
        case feedScript = "feed.js"
        case encodeScript = "encode.js"
        case markdownScript = "markdown.js"
        case blocksScript = "blocks.js"
        case editorScript = "editor.js"
        case completionScript = "completion.js"
        case composeScript = "compose.js"
        case viewerScript = "viewer.js"
        case shellScript = "shell.js"
        case draftsScript = "drafts.js"
        case placeholderScript = "placeholders.js"
        case icons = "icons.svg"
        case icon192 = "icon-192.png"
        case icon512 = "icon-512.png"
        /// With room around it, for systems that cut icons to their shape.
        case iconMaskable = "icon-maskable.png"

        static let styles: [Name] = [.style]

        /// What pages with posts, and those with pictures to look at, look like besides.
        static let feedStyles: [Name] = [.feedStyle]

        /// In the order in which pages run them; the one that all pages share runs beside them.
        static let scripts: [Name] = [
            .listScript, .hearingScript, .handScript, .script, .uploadScript, .trayScript, .archiveScript,
            .searchScript,
        ]

        /// What pages with posts, and those with pictures to look at, run after these.
        static let feedScripts: [Name] = [
            .feedScript, .encodeScript, .markdownScript, .blocksScript, .completionScript, .editorScript,
            .composeScript,
            .viewerScript, .shellScript, .draftsScript, .placeholderScript,
        ]

        /// What a page loads when it needs it first.
        static let onDemand: [Name] = [.hashScript]

        fileprivate var mediaType: String {
            switch self {
            case .style, .feedStyle: "text/css; charset=utf-8"
            case .icons: "image/svg+xml"
            case .icon192, .icon512, .iconMaskable: "image/png"
            default: "text/javascript; charset=utf-8"
            }
        }

        /// A worker is held to the policy that it comes with, not to that of a page.
        fileprivate var policy: String {
            self == .streamsScript
                ? "default-src 'none'; connect-src 'self'" : "default-src 'none'; style-src 'none'; sandbox"
        }

        fileprivate var bytes: [UInt8] {
            switch self {
            case .style: PackageResources.bothy_css
            case .script: PackageResources.bothy_js
            case .listScript: PackageResources.list_js
            case .hearingScript: PackageResources.hearing_js
            case .handScript: PackageResources.hand_js
            case .hashScript: PackageResources.sha256_js
            case .uploadScript: PackageResources.upload_js
            case .trayScript: PackageResources.tray_js
            case .searchScript: PackageResources.search_js
            case .archiveScript: PackageResources.archive_js
            case .streamsScript: PackageResources.streams_js
            case .feedScript: PackageResources.feed_js
            case .feedStyle: PackageResources.feed_css
            case .encodeScript: PackageResources.encode_js
            case .markdownScript: PackageResources.markdown_js
            case .blocksScript: PackageResources.blocks_js
            case .editorScript: PackageResources.editor_js
            case .completionScript: PackageResources.completion_js
            case .composeScript: PackageResources.compose_js
            case .viewerScript: PackageResources.viewer_js
            case .icons: PackageResources.icons_svg
            case .shellScript: PackageResources.shell_js
            case .draftsScript: PackageResources.drafts_js
            case .placeholderScript: PackageResources.placeholders_js
            case .icon192: PackageResources.icon_192_png
            case .icon512: PackageResources.icon_512_png
            case .iconMaskable: PackageResources.icon_maskable_png
            }
        }
    }

    private struct Asset: Sendable {
        var path: String
        var tag: String
        var body: ByteBuffer
    }

    private let assets: [Name: Asset]

    init() {
        assets = Dictionary(
            uniqueKeysWithValues: Name.allCases.map { name in
                let bytes = name.bytes
                let tag = SHA256.hash(data: Data(bytes)).prefix(8).map {
                    String(UInt16($0) + 256, radix: 16).dropFirst()
                }
                .joined()
                return (name, Asset(path: "/assets/\(tag)/\(name.rawValue)", tag: tag, body: ByteBuffer(bytes: bytes)))
            })
    }

    /// The service worker, except for what the server writes before it.
    static var worker: [UInt8] { PackageResources.worker_js }

    /// Another one whenever one of them is.
    var version: String {
        let tags = Name.allCases.map { asset($0).tag }.joined()
        return SHA256.hash(data: Data(tags.utf8)).prefix(8).map { String($0, radix: 16) }.joined()
    }

    /// Relative to the origin.
    func path(_ name: Name) -> String { asset(name).path }

    func response(_ name: Name, _ request: Request) -> Response {
        let asset = asset(name)
        let headers: HTTPFields = [
            .contentType: name.mediaType, .cacheControl: "public, max-age=31536000, immutable",
            .eTag: "\"\(asset.tag)\"", .xContentTypeOptions: "nosniff", .resourcePolicy: "same-origin",
            .contentSecurityPolicy: name.policy,
        ]
        if request.headers[.ifNoneMatch] == "\"\(asset.tag)\"" {
            return Response(status: .notModified, headers: headers)
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: asset.body))
    }

    private func asset(_ name: Name) -> Asset {
        guard let asset = assets[name] else { preconditionFailure("every asset was loaded") }
        return asset
    }
}
