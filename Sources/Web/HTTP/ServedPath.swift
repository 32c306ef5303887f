import Notation

/// The file that a path of a request names, below the served folder.
package struct ServedPath: Hashable, Sendable {
    /// Relative, of plain names joined by slashes.
    package let file: String

    /// Nil: no file can have this path. Names are those of `Name`, and none begins with a dot.
    package init?(_ path: String) {
        guard path.hasPrefix("/"), path.utf8.count <= Self.bytesMax else { return nil }
        var parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        if parts.last == "" { parts[parts.count - 1] = "index.html" }
        guard parts.allSatisfy({ Name.isValid(String($0)) && !$0.hasPrefix(".") }) else {
            return nil
        }
        file = parts.joined(separator: "/")
    }

    /// Bytes of a path.
    private static let bytesMax = 512

    package var contentType: String {
        let name = file.split(separator: "/").last ?? ""
        let ending = name.split(separator: ".").dropFirst().last ?? ""
        return Self.types[String(ending)] ?? "application/octet-stream"
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "json": "application/json", "jsonl": "application/x-ndjson",
        "webmanifest": "application/manifest+json", "svg": "image/svg+xml", "png": "image/png",
        "webp": "image/webp", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
        "ico": "image/x-icon", "woff2": "font/woff2", "txt": "text/plain; charset=utf-8",
        "md": "text/markdown; charset=utf-8", "toml": "text/plain; charset=utf-8",
        "ts": "text/plain; charset=utf-8", "csv": "text/csv; charset=utf-8",
        "wasm": "application/wasm",
    ]
}
