import Notation
import Testing

@testable import Web

struct MetricsTests {
    @Test func helpsAndLabelsAreEscaped() {
        var text = MetricsText()
        text.begin("a", .counter, "one \\ two\nthree \"x\"")
        text.sample("a", [("b", "\"\\\n"), ("c", "d")], 1.5)
        text.sample("a", [], 2e18)
        text.sample("a", [], -0.000001)
        text.sample("a", [], .infinity)
        #expect(
            String(decoding: text.bytes, as: UTF8.self) == #"""
                # HELP a one \\ two\nthree "x"
                # TYPE a counter
                a{b="\"\\\n",c="d"} 1.5
                a 2000000000000000000
                a -1e-06
                a +Inf

                """#)
    }

    @Test func figuresHaveBaseUnits() {
        #expect(DaemonFigures.seconds("limit_piece_us") == ("limit_piece_seconds", 1e6))
        #expect(DaemonFigures.seconds("limit_x_ms") == ("limit_x_seconds", 1e3))
        #expect(DaemonFigures.seconds("limit_bytes") == ("limit_bytes", 1))
        let stats = Node(
            .object([
                Node.Member("store_commit_us", Node(.integer(2_500_000))),
                Node.Member("latency_us_p50", Node(.integer(40))),
                Node.Member("latency_us_max", Node(.integer(7_000))),
                Node.Member("limit_piece_us", Node(.integer(2_000))),
                Node.Member("invented", Node(.integer(3))),
            ]))
        var text = MetricsText()
        DaemonFigures.append(stats, to: &text)
        let lines = String(decoding: text.bytes, as: UTF8.self).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
        #expect(
            lines == [
                "gestured_store_commit_seconds_total 2.5",
                #"gestured_event_latency_seconds{quantile="0.5"} 4e-05"#,
                "gestured_event_latency_max_seconds 0.007", "gestured_invented 3",
                "gestured_limit_piece_seconds 0.002",
            ])
    }
}
