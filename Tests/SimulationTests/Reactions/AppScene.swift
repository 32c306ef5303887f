import Foundation

/// A small app: two buttons, a label, tabs, a panel, and whatever a test adds.
func appScene(_ rest: String = "", variables: String = #"{"score":0,"open":false,"name":""}"#)
    -> String
{
    #"""
    {"viewport":[320,568],"frame_rate":30,"variables":\#(variables),"components":[
    {"id":"one","kind":"button","frame":[0,0,100,50]},
    {"id":"two","kind":"button","frame":[0,60,100,50],"toggle":true},
    {"id":"points","kind":"label","frame":[0,120,320,40],"fade":0,"text":"{score:03} points"},
    {"id":"tips","kind":"tips","presented":false,"tips":[{"title":"Hello"}]}
    ]\#(rest)}
    """#.replacingOccurrences(of: "\n", with: "")
}

func reactions(_ list: [String]) -> String { #","reactions":[\#(list.joined(separator: ","))]"# }

/// A tap of a button, of its component, at a time in milliseconds.
func tap(_ t: Double, _ component: String) -> String {
    event(t, "command/s/\(component)", #"{"command":"tap"}"#)
}

/// A finger that lands and lifts at a point of the viewport.
func touch(_ t: Double, x: Double = 300, y: Double = 500) -> [String] {
    [
        event(
            t, "gesture/s",
            #"{"gesture":"pointer","phase":"began","pointer":1,"x":\#(x),"y":\#(y)}"#),
        event(
            t + 40, "gesture/s",
            #"{"gesture":"pointer","phase":"ended","pointer":1,"x":\#(x),"y":\#(y)}"#),
    ]
}

func notify(_ t: Double, _ body: String) -> String { event(t, "notification/s", body) }

extension [String] {
    /// The values of variables that were told, with the milliseconds from the first event.
    func variables(_ name: String) -> [String] {
        compactMap { line in
            guard line.topic == "variables/s", let range = line.range(of: "\"\(name)\":") else {
                return nil
            }
            let value = line[range.upperBound...].prefix { $0 != "," && $0 != "}" }
            return "\(Int((line.number("t") ?? 0).rounded())) \(value)"
        }
    }

    /// The bodies told on a topic, from a mark on.
    func bodies(_ topic: String, from mark: String) -> [String] {
        compactMap { line in
            guard line.topic == topic, let range = line.range(of: mark) else { return nil }
            return String(line[range.lowerBound...])
        }
    }

    func codes() -> [String] {
        compactMap { line in
            guard line.topic == "rejected/s", let range = line.range(of: "\"code\":\"") else {
                return nil
            }
            return String(line[range.upperBound...].prefix { $0 != "\"" })
        }
    }
}
