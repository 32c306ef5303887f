import CPictures
import Glibc

/// The best that a terminal can show, by its environment.
package struct TerminalKind: Hashable, Sendable {
    package enum Graphics: Hashable, Sendable {
        /// Letters of half and quarter blocks, in two colors each.
        case symbols
        /// Pixels, by a command of the terminal.
        case sixels, kitty
    }

    package enum Colors: Int32, Hashable, Sendable {
        case millions, palette, sixteen
        /// No colors: dots of braille.
        case none
    }

    package var graphics: Graphics
    package var colors: Colors

    package init(graphics: Graphics, colors: Colors) {
        self.graphics = graphics
        self.colors = colors
    }

    /// Finds out by entries such as `TERM=xterm-kitty`, as libchafa's own list of terminals and
    /// `COLORTERM` say.
    package init(environment: [String]) {
        let copies = unsafe environment.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe copies + [nil]
        let found = unsafe gp_terminal_detect(&pointers)
        switch Int(found.graphics) {
        case gp_kitty: graphics = .kitty
        case gp_sixels: graphics = .sixels
        default: graphics = .symbols
        }
        colors = Colors(rawValue: found.colors) ?? .sixteen
    }
}
