import Foundation

/// Standard input, output and error as they are for this process.
struct Terminal: Sendable {
    let inputIsTerminal: Bool
    let outputIsTerminal: Bool
    let errorIsTerminal: Bool

    init() {
        inputIsTerminal = isatty(STDIN_FILENO) == 1
        outputIsTerminal = isatty(STDOUT_FILENO) == 1
        // A «dumb» terminal shows what is written and can draw nothing over.
        errorIsTerminal = isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// A person is there who can be asked.
    var canAsk: Bool { inputIsTerminal && errorIsTerminal }

    /// Columns and rows of the terminal on standard error, read anew each time: windows change.
    var size: (columns: Int, rows: Int) {
        var window = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(window.ws_col), Int(window.ws_row))
    }

    func writeOutput(_ text: String) { Self.write(text, to: STDOUT_FILENO) }
    func writeError(_ text: String) { Self.write(text, to: STDERR_FILENO) }

    /// Asks in one line on standard error and reads one line from standard input.
    ///
    /// - Returns: nil at the end of the input, and when the task is cancelled while the person thinks.
    func ask(_ question: String) -> String? {
        writeError(question)
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while poll(&input, 1, 100) == 0 {
            guard Task.isCancelled else { continue }
            writeError("\n")
            return nil
        }
        return readLine(strippingNewline: true)
    }

    /// Asks without showing what is typed.
    ///
    /// The keys are read one by one, Ctrl-C too, so that no signal can end the command while the terminal is silent.
    ///
    /// - Returns: nil at the end of the input and at Ctrl-C.
    func askSecretly(_ question: String) -> String? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return ask(question) }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            writeError("\n")
        }
        writeError(question)
        var line = SecretLine()
        var key: UInt8 = 0
        while read(STDIN_FILENO, &key, 1) == 1 {
            switch line.press(key) {
            case .more: continue
            case .entered(let text): return text
            case .givenUp: return nil
            }
        }
        return nil
    }

    /// Writes all of it. A reader that went away (`bothy ls | head`) ends the command without a word, as it ends others.
    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                bytes = bytes.dropFirst(written)
            } else if errno == EINTR || errno == EAGAIN {
                continue
            } else if errno == EPIPE {
                exit(128 + SIGPIPE)
            } else {
                return
            }
        }
    }
}
