import Pictures
import Platform

/// The folder of the photos that our own scenes name: `images` of the page.
enum PhotoFolder {
    /// The photos; nil: there is no such folder, and landscapes stand in their places.
    static func photos() -> Photos? {
        let program = CommandLine.arguments.first ?? ""
        let bin = Folder.above(File.target(ofLink: "/proc/self/exe") ?? program)
        var candidates = ["\(bin)/../share/gesture-web/images"]
        // A build stands some folders below the tree that it is made of.
        var folder = bin
        while folder.count > 1 {
            candidates.append("\(folder)/Clients/web/images")
            folder = Folder.above(folder)
        }
        guard let found = candidates.first(where: File.isThere) else { return nil }
        return Photos { name in
            try? PlainFile.read("\(found)/\(name)", bytesMax: Photos.bytesMax)
        }
    }
}
