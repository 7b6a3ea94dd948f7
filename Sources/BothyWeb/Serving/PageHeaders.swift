import BothyContract
import HTTPTypes

/// What every page tells the browser not to do.
enum PageHeaders {
    /// Scripts and styles are named one by one, by their exact addresses: what a person stored under this origin is
    /// neither. Nothing inline runs, nothing comes from elsewhere, and nobody frames it.
    ///
    /// - Parameter isInstallable: pages have a manifest and a service worker, as a server's have and a device's have not.
    static func policy(origin: String, assets: Assets, isInstallable: Bool) -> String {
        let worker = isInstallable ? " \(origin)\(InstallRoutes.worker)" : ""
        return [
            "default-src 'none'",
            "script-src "
                + (Assets.Name.scripts + Assets.Name.feedScripts + Assets.Name.onDemand).map {
                    origin + assets.path($0)
                }.joined(separator: " "),
            "worker-src \(origin)\(assets.path(.streamsScript))\(worker)",
            "manifest-src " + (isInstallable ? origin + InstallRoutes.manifest : "'none'"),
            "style-src "
                + (Assets.Name.styles + Assets.Name.feedStyles).map { origin + assets.path($0) }.joined(
                    separator: " "), "img-src 'self'",
            "media-src 'self'", "frame-src 'self'",
            "connect-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
        ].joined(separator: "; ")
    }

    static func fields(origin: String, assets: Assets, isInstallable: Bool) -> HTTPFields {
        [
            .contentSecurityPolicy: policy(origin: origin, assets: assets, isInstallable: isInstallable),
            .xContentTypeOptions: "nosniff", .cacheControl: "no-store",
            .referrerPolicy: "same-origin", .openerPolicy: "same-origin", .resourcePolicy: "same-origin",
            .permissionsPolicy: "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        ]
    }
}

extension HTTPField.Name {
    static let referrerPolicy = Self("Referrer-Policy")!
    static let openerPolicy = Self("Cross-Origin-Opener-Policy")!
    static let resourcePolicy = Self("Cross-Origin-Resource-Policy")!
    static let permissionsPolicy = Self("Permissions-Policy")!
    /// A form's token, for a body that is no form.
    static let formToken = Self("Bothy-Form-Token")!
    /// Whose page it is, for the service worker, which keeps one sign-in's pages alone.
    static let account = Self("Bothy-Account")!
    /// Whose page it is, whenever they signed in; from a script, on a body that is no form, whose page sends it.
    static let person = Self("Bothy-Person")!
    /// On what the script asks for: its answer goes into the page, in pieces.
    static let fragments = Self("Bothy-Fragments")!
    static let fetchSite = Self("Sec-Fetch-Site")!
    static let lastEventID = Self(HeaderNames.lastEventId)!
    static let xAccelBuffering = Self(HeaderNames.accelBuffering)!
}
