import Gestures
import Interactions
import TestSupport

extension Tables {
    static func profile() throws -> Table<Profile> {
        let phases = ["pulled", "expanded", "collapsed", "titled"]
        let offsets = [-10.0, 20, 60, 120]
        return Table(
            kind: "profile",
            remark: "An offset within each state: −10, 20, 60 and 120.",
            phases: phases,
            columns: try zip(phases, offsets).map { phase, offset in
                .init(name: phase, stage: try InteractionsTests.profile(at: offset))
            },
            rows: zip(phases, offsets).flatMap { phase, offset in
                Phase.allCases.map { .init(.scroll($0, offset), "into what is \(phase)") }
            } + [.init(.time)],
            jumping: { stimulus in
                if case .gesture(.scroll) = stimulus {
                    return ["header", "avatar", "label", "blur"]
                }
                return []
            })
    }
}
