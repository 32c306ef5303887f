import Geometry
import Notation

extension WorldParameters {
    package var reports: KindReports {
        KindReports(
            transitions: [
                TransitionReport("wake"), TransitionReport("rest"),
                TransitionReport(
                    "contact",
                    tells: [
                        .item: { $0.meeting?.items.first.map { .text($0) } },
                        .boundary: { $0.meeting?.boundary.map { .text($0) } },
                        .with: { meeting in
                            meeting.meeting.flatMap {
                                $0.items.count > 1 ? .text($0.items[1]) : nil
                            }
                        },
                    ]),
                .tap(tells: [.item]), token("token"), token("turn"),
            ],
            phases: ["resting", "moving", "dragging"],
            commands: [
                CommandReport("add-item").requiring("item", .table),
                CommandReport("remove-item").requiring("item", .name),
                CommandReport("add-behavior").requiring("behavior", .table),
                CommandReport("remove-behavior").requiring("behavior", .name),
                CommandReport("set").taking("item", .name).taking("behavior", .name)
                    .requiring("values", .table),
                CommandReport("add-velocity").requiring("item", .name)
                    .requiring("dx", .number(.coordinate)).requiring("dy", .number(.coordinate))
                    .taking("angular", .number(.coordinate)),
            ])
    }

    /// A transition of a token, whose angle is told in degrees.
    private func token(_ name: String) -> TransitionReport {
        TransitionReport(
            name,
            tells: [
                .item: { $0.item.map { .text($0) } }, .token: { $0.token.map { .whole($0) } },
                .angle: { $0.angle.map { .whole(Self.degrees($0)) } },
            ])
    }

    /// The whole degrees from 0 to 359 that are nearest to an angle in radians.
    private static func degrees(_ radians: Double) -> Int {
        let degrees = Int((Angle.wrapped(radians) * 180 / Double.pi).rounded())
        return degrees < 0 ? degrees + 360 : degrees
    }
}
