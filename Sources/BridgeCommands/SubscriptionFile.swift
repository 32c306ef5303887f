import Bridges
import Commands
import Notation
import Platform

/// The file of the topics to which a bridge subscribed, in this run and in earlier ones.
///
/// A broker keeps the subscriptions of a client that is away, and does not tell them. With other
/// options than before a message would come by a former subscription as well, and count twice.
struct SubscriptionFile {
    /// Topics that are remembered: those of two runs with all sessions named.
    private static let topicsMax = 6 * HouseMirror.sessionsMax
    /// Bytes that are read of it: so many topics, each as long as a prefix and three names.
    private static let bytesMax = topicsMax * (HouseTopics.prefixBytesMax + 4 * Name.bytesMax)
    let path: String

    /// The topics of the last runs, oldest first; none where there is no file.
    func read() -> [String] {
        guard let bytes = try? PlainFile.read(path, bytesMax: Self.bytesMax),
            let text = String(validating: bytes, as: UTF8.self)
        else { return [] }
        return text.split(separator: "\n").suffix(Self.topicsMax).map(String.init)
    }

    /// Remembers topics beside the former ones.
    func add(_ topics: [String], to former: [String]) throws(Failure) {
        let all = (former.filter { !topics.contains($0) } + topics).suffix(Self.topicsMax)
        let text = all.map { "\($0)\n" }.joined()
        guard File.replace(path, with: Array(text.utf8)) == 0 else {
            throw .file("\(path): cannot be written")
        }
    }
}
