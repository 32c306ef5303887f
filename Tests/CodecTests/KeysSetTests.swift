import Geometry
import Interactions
import Notation
import Protocol
import Scenes
import Sessions
import TestSupport
import Testing

@testable import Codec

/// A `set` of as many keys as a hostile peer can write.
@Suite struct KeysSetTests {
    private func refusal(ofKeys count: Int, _ part: String = "") -> Rejection? {
        let keys = (0..<count).map { "\"k\($0)\":0" }.joined(separator: ",")
        let body = #"{"component":"t",\#(part)"values":{\#(keys)}}"#
        do {
            _ = try ComponentValues(try Document.json(Array(body.utf8)))
            return nil
        } catch {
            return error as? Rejection
        }
    }

    @Test func oneSetHasBoundedKeys() {
        for part in ["", #""item":"i","#, #""behavior":"b","#] {
            #expect(refusal(ofKeys: 256, part) == nil)
            let rejection = refusal(ofKeys: 257, part)
            #expect(rejection?.code == .badValue)
            #expect(rejection?.message == "key values: must have at most 256 keys")
        }
    }

    /// The bound keeps nobody from a key that there is.
    @Test func noTableHasAsManyKeys() {
        func count<Kind: Machine>(_: Kind.Type) -> Int {
            Kind.Parameters(viewport: Size(1, 1)).list.count
        }
        for kind in Kinds.all { #expect(count(kind) <= Limits.keysSetMax / 2) }
    }

    @Test func membersAreSetAsIfOneAfterAnother() {
        let node = Node(.object(members("abca")), line: 3)
        for names in ["", "a", "xx", "axbxca"] {
            let values = members(names)
            let expected = values.reduce(node) { $0.setting($1.name, $1.value) }
            #expect(node.setting(values) == expected)
        }
    }

    private func members(_ names: String) -> [Node.Member] {
        names.enumerated().map { Node.Member(String($1), Node(.integer($0))) }
    }

    @Test func eightTimesAsManyMembersTakeNoSixtyTimesAsLong() {
        func time(_ count: Int) -> Duration {
            let values = (0..<count).map { Node.Member("key\($0)", Node(.integer($0))) }
            return shortest { _ = Node(.object([])).setting(values) }
        }
        #expect(time(8_000) < time(1_000) * 24)
    }

    /// The shortest of some runs: others that run beside them count least.
    private func shortest(_ work: () -> Void) -> Duration {
        (0..<7).reduce(.seconds(60)) { shortest, _ in
            min(shortest, ContinuousClock().measure(work))
        }
    }
}
