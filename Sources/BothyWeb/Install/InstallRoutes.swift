import BothyContract
import BothyPresentation
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `/manifest.webmanifest` and `/worker.js`: what makes a server's web app one that a person installs, and that shows what was
/// looked at last without a connection. A device has neither: its pages need no server.
struct InstallRoutes: Sendable {
    static let manifest = "/manifest.webmanifest"
    static let worker = "/worker.js"

    let assets: Assets
    let words: Words

    var routes: [WebApp.Route] {
        let (manifest, worker) = (manifestText, workerText)
        return [
            Self.route(Self.manifest, manifest, type: "application/manifest+json", policy: "default-src 'none'"),
            // It is held to the policy that it comes with.
            Self.route(
                Self.worker, worker, type: "text/javascript; charset=utf-8",
                policy: "default-src 'none'; connect-src 'self'"),
        ]
    }

    private static func route(_ path: String, _ text: String, type: String, policy: String) -> WebApp.Route {
        let body = ByteBuffer(string: text)
        return WebApp.Route(method: .get, path: path) { _, _ in
            let headers: HTTPFields = [
                .contentType: type, .cacheControl: "no-cache", .xContentTypeOptions: "nosniff",
                .resourcePolicy: "same-origin", .contentSecurityPolicy: policy,
            ]
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
        }
    }

    private var manifestText: String {
        let icons = [
            Manifest.Icon(src: assets.path(.icon192), sizes: "192x192", purpose: "any"),
            Manifest.Icon(src: assets.path(.icon512), sizes: "512x512", purpose: "any"),
            Manifest.Icon(src: assets.path(.iconMaskable), sizes: "512x512", purpose: "maskable"),
        ]
        return Self.json(
            Manifest(
                id: "/", name: words[.appName], shortName: words[.appName], lang: words.language,
                startURL: Destination.feed.link, scope: "/", display: "standalone", themeColor: "#1f6b57",
                backgroundColor: "#faf9f6", icons: icons,
                shortcuts: [
                    Manifest.Shortcut(name: words[.postNew], url: Destination.newPost.link),
                    Manifest.Shortcut(name: words[.files], url: Destination.home.link),
                ]))
    }

    private var workerText: String {
        let scripts = (Assets.Name.scripts + Assets.Name.feedScripts).map { assets.path($0) }
        let styles = Assets.Name.styles.map { assets.path($0) }
        let shell = Shell(
            version: assets.version, language: words.language, styles: styles,
            assets: scripts + styles + Assets.Name.feedStyles.map { assets.path($0) } + [assets.path(.icons)],
            words: [
                "title": words[.connectionNeeded], "lead": words[.keptNothing], "feed": words[.feed],
                "kept": words[.keptToSend], "refused": words[.failedTitle],
            ])
        return "self.shell = \(Self.json(shell));\n" + String(decoding: Assets.worker, as: UTF8.self)
    }

    private static func json(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts and lists of texts are always written.
        guard let data = try? encoder.encode(value) else { preconditionFailure("it is made of texts alone") }
        return String(decoding: data, as: UTF8.self)
    }
}

/// https://www.w3.org/TR/appmanifest/
private struct Manifest: Encodable {
    struct Icon: Encodable {
        var src: String
        var sizes: String
        var type = "image/png"
        var purpose: String
    }

    struct Shortcut: Encodable {
        var name: String
        var url: String
    }

    var id: String
    var name: String
    var shortName: String
    var lang: String
    var startURL: String
    var scope: String
    var display: String
    var themeColor: String
    var backgroundColor: String
    var icons: [Icon]
    var shortcuts: [Shortcut]

    enum CodingKeys: String, CodingKey {
        case id, name, lang, scope, display, icons, shortcuts
        case shortName = "short_name"
        case startURL = "start_url"
        case themeColor = "theme_color"
        case backgroundColor = "background_color"
    }
}

/// What the worker is told by the server.
private struct Shell: Encodable {
    var version: String
    var language: String
    var styles: [String]
    var assets: [String]
    var words: [String: String]
}
