import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import Synchronization

/// Certificate and key as they lie on the disk now: read again when they change, so that a renewal needs no restart.
package final class TLSReloader: Service {
    /// What tells that a file was replaced or rewritten.
    private struct Stamp: Hashable, Sendable {
        var inode: UInt64
        var size: Int64
        var seconds: Int
        var nanoseconds: Int
    }

    private struct Loaded: Sendable {
        var context: NIOSSLContext
        var stamps: [Stamp]
    }

    private let files: ServerConfig.TLSFiles
    private let every: Duration
    private let logger: Logger
    private let loaded: Mutex<Loaded>
    /// It was told that the files cannot be read.
    private let isMissing = Mutex(false)

    /// - Parameter every: how often the files are looked at.
    /// - Throws: ``ServerFault`` where they cannot be used now.
    package init(_ files: ServerConfig.TLSFiles, every: Duration = .seconds(10), logger: Logger) throws {
        self.files = files
        self.every = every
        self.logger = logger
        self.loaded = Mutex(try Self.load(files))
    }

    var context: NIOSSLContext { loaded.withLock { $0.context } }

    package func run() async throws {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            do {
                try await cancelWhenGracefulShutdown { [every] in try await Task.sleep(for: every) }
            } catch is CancellationError {
                return
            }
            reloadIfChanged()
        }
    }

    /// A pair that cannot be used leaves the old one in place: half of a renewal may be on the disk.
    package func reloadIfChanged() {
        guard let stamps = stampsNow(), stamps != loaded.withLock({ $0.stamps }) else { return }
        do {
            let new = try Self.load(files)
            loaded.withLock { $0 = new }
            logger.info("The TLS certificate was read again.", metadata: ["certificate": .string(files.certificate)])
        } catch {
            logger.error(
                "The TLS certificate has changed and cannot be used; the former one stays.",
                metadata: ["error": "\(error)"])
        }
    }

    /// - Returns: nil where they cannot be read now, which is told once: the former pair stays until it ends.
    private func stampsNow() -> [Stamp]? {
        do {
            let stamps = try Self.stamps(files)
            isMissing.withLock { $0 = false }
            return stamps
        } catch {
            let wasMissing = isMissing.withLock { missing in
                defer { missing = true }
                return missing
            }
            if !wasMissing {
                logger.error(
                    "The TLS certificate cannot be read any more; the former one stays.",
                    metadata: ["error": "\(error)"])
            }
            return nil
        }
    }

    private static func load(_ files: ServerConfig.TLSFiles) throws -> Loaded {
        // Stamps first: a change while the files are read is then seen at the next look.
        let stamps = try stamps(files)
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(files.certificate).map {
                NIOSSLCertificateSource.certificate($0)
            }
            let key = try NIOSSLPrivateKey(file: files.key, format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain, privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            return Loaded(context: try NIOSSLContext(configuration: configuration), stamps: stamps)
        } catch {
            throw ServerFault(
                .usage,
                "The TLS certificate \(files.certificate) and its key \(files.key) cannot be used together: \(error)")
        }
    }

    private static func stamps(_ files: ServerConfig.TLSFiles) throws -> [Stamp] {
        try [files.certificate, files.key].map { path in
            var status = stat()
            guard stat(path, &status) == 0 else {
                throw ServerFault(.usage, "The TLS file \(path) cannot be read: \(String(cString: strerror(errno))).")
            }
            return Stamp(
                inode: UInt64(status.st_ino), size: Int64(status.st_size), seconds: status.st_mtim.tv_sec,
                nanoseconds: status.st_mtim.tv_nsec)
        }
    }
}

/// A connection behind TLS, with the certificate of its moment.
struct ReloadingTLSChannel<Base: ServerChildChannel>: ServerChildChannel {
    typealias Value = Base.Value

    let base: Base
    let reloader: TLSReloader

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: reloader.context))
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
