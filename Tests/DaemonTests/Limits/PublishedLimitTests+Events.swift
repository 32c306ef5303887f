import Codec
import Geometry
import Interactions
import Notation
import Protocol
import Sessions
import Testing

@testable import Daemon
@testable import Gestures

/// Bounds of what an event may bring.
extension PublishedLimitTests {
    private static func decode(
        _ body: String, _ topic: String = "notification/s"
    ) throws -> Event {
        try EventDecoder().decode(topic: try Topic(topic), body: Array(body.utf8))
    }

    /// The code with which a body is refused; nil: it is taken.
    private static func refusal(_ body: String, _ topic: String = "notification/s")
        -> RejectionCode?
    {
        do {
            _ = try decode(body, topic)
            return nil
        } catch let failure as DecodingFailure {
            return failure.rejection.code
        } catch {
            return .internal
        }
    }

    private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

    static let eventRows: [String: Row] = [
        "limit_topic_bytes": .driven { value in
            // Names are shorter, so a topic of that length is wrong for another reason.
            let atMost = "a topic has at most \(value) bytes"
            for (count, isTooLong) in [(value, false), (value + 1, true)] {
                let error = #expect(throws: TopicError.self) { try Topic(letters(count)) }
                #expect((error?.message == atMost) == isTooLong)
            }
        },
        "limit_name_bytes": .driven { value in
            #expect(Name.isValid(letters(value)) && !Name.isValid(letters(value + 1)))
            #expect(throws: Never.self) { try Topic("notification/\(letters(value))") }
            #expect(throws: TopicError.self) { try Topic("notification/\(letters(value + 1))") }
        },
        "limit_body_bytes": .driven { value in
            let body = #"{"kind":"likes","x":"#
            let fill = value - body.utf8.count - 3
            #expect(refusal(body + "\"\(letters(fill))\"}") == nil)
            #expect(refusal(body + "\"\(letters(fill + 1))\"}") == .tooLarge)
        },
        "limit_id_bytes": .driven { value in
            #expect(refusal(#"{"kind":"likes","id":"\#(letters(value))"}"#) == nil)
            #expect(refusal(#"{"kind":"likes","id":"\#(letters(value + 1))"}"#) == .badValue)
        },
        "limit_coordinate_points": .driven { value in
            func scroll(_ offset: String) -> RejectionCode? {
                refusal(
                    #"{"gesture":"scroll","phase":"changed","offset":\#(offset)}"#, "gesture/s/c")
            }
            #expect(scroll("\(value)") == nil && scroll("-\(value)") == nil)
            #expect(scroll("\(value).001") == .badValue && scroll("-\(value + 1)") == .badValue)
        },
        "limit_count": .driven { value in
            #expect(refusal(#"{"kind":"likes","set":\#(value)}"#) == nil)
            #expect(refusal(#"{"kind":"likes","set":\#(value + 1)}"#) == .badValue)
        },
        "limit_notification_data_bytes": .driven { value in
            func body(_ bytes: Int) -> String {
                // {"a":"…"} is eight bytes without the text.
                #"{"kind":"likes","data":{"a":"\#(letters(bytes - 8))"}}"#
            }
            #expect(refusal(body(value)) == nil && refusal(body(value + 1)) == .badValue)
        },
        "limit_keys_set": .driven { value in
            func body(_ count: Int) -> String {
                let values = (0..<count).map { #""k\#($0)":0"# }.joined(separator: ",")
                return #"{"command":"set","component":"c","values":{\#(values)}}"#
            }
            #expect(refusal(body(value), "command/s") == nil)
            #expect(refusal(body(value + 1), "command/s") == .badValue)
        },
        "limit_document_depth": .driven { value in
            func nested(_ depth: Int) -> [UInt8] {
                Array(
                    (String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
                        .utf8)
            }
            #expect(throws: Never.self) { try Document.json(nested(value)) }
            #expect(throws: DocumentError.self) { try Document.json(nested(value + 1)) }
        },
        "limit_excerpt_bytes": .driven { value in
            let lanes = try Lanes(1)
            var batch = Batch()
            batch.notify("anna", kind: letters(value * 2) + "/")
            lanes.lanes[0].submit(&batch)
            lanes.rest()
            let reports = lanes.rejections()
            #expect(reports.count == 1)
            #expect(reports.allSatisfy { (value - 3...value).contains($0.excerpt.utf8.count) })
        },
        "limit_time_skew_ms": .driven { value in
            let now = 1_700_000_000_000.0
            for (skew, isBelieved) in [(value, true), (value + 1, false), (-value, true)] {
                let claimed = now + Double(skew)
                let time = SampleTime(claimed: claimed, received: now)
                #expect((time.milliseconds(after: nil) == claimed) == isBelieved)
            }
        },
        "limit_request_id_bytes": .driven { value in
            func id(_ count: Int) throws -> Node? {
                // Quotes are part of its JSON.
                try RequestFields(Array(#"{"op":"hello","id":"\#(letters(count - 2))"}"#.utf8)).id()
            }
            #expect(throws: Never.self) { try id(value) }
            #expect(throws: Rejection.self) { try id(value + 1) }
        },
        "limit_envelope_frames": .driven { value in
            func request(_ frames: Int) -> [UInt8]? {
                let route = Array(repeating: [UInt8(1)], count: frames - 1)
                return RequestRound.split([[1]] + route + [[], [2]]).request
            }
            #expect(request(value) == [2] && request(value + 1) == nil)
        },
        "limit_envelope_bytes": .driven { value in
            func request(_ bytes: Int) -> [UInt8]? {
                RequestRound.split([[1], Array(repeating: 1, count: bytes), [], [2]]).request
            }
            #expect(request(value) == [2] && request(value + 1) == nil)
        },
        "limit_sessions_listed": .driven { value in
            func request(_ limit: Int) throws -> SessionsRequest {
                try SessionsRequest(
                    RequestFields(Array(#"{"op":"sessions","limit":\#(limit)}"#.utf8)))
            }
            let limit = try request(value).limit
            #expect(limit == value)
            #expect(throws: Rejection.self) { try request(value + 1) }
        },
    ]
}
