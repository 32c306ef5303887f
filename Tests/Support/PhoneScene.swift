package import Geometry
package import Interactions
package import Sessions

extension TipsParameters {
    /// So many tips, titled `0`, `1` …
    package static func counting(_ count: Int) -> TipsParameters {
        var parameters = TipsParameters(viewport: .phone)
        parameters.tips = (0..<count).map {
            var tip = Tip()
            tip.title = "\($0)"
            return tip
        }
        return parameters
    }
}

extension TabsParameters {
    /// Home, popular, share, news with a bubble, profile with a glow.
    package static var five: TabsParameters {
        var parameters = TabsParameters(viewport: .phone)
        parameters.items = ["home", "popular", "share", "news", "profile"].map { Item(id: $0) }
        parameters.items[3].bubble = ["comments", "likes", "followers"]
        parameters.items[4].glow = ["mentions"]
        return parameters
    }
}

extension Size {
    package static var phone: Size { Size(320, 568) }
}

extension Scene {
    /// Every kind once, by its own name.
    package static func phone(frameRate: Int? = nil, seed: UInt64? = 1) -> Scene {
        let components: [(id: String, parameters: ComponentParameters)] = [
            ("tips", .init(TipsParameters.counting(3))),
            ("toss", .init(TossParameters(viewport: .phone))),
            ("navigation", .init(NavigationParameters(root: "dashboard"))),
            ("profile", .init(ProfileParameters(viewport: .phone))),
            ("list", .init(ListParameters(rows: 20))),
            ("reader", .init(ReaderParameters(pages: .count(10), viewport: .phone))),
            ("tabs", .init(TabsParameters.five)),
        ]
        return Scene(
            name: "phone", viewport: .phone, frameRate: frameRate, seed: seed,
            components: components.map {
                Component(id: $0.id, parameters: $0.parameters, filling: .phone)
            })
    }

    /// One component alone, at rest when the session opens.
    package static func single(
        _ id: String, _ parameters: ComponentParameters, frameRate: Int? = nil
    ) -> Scene {
        Scene(
            name: nil, viewport: .phone, frameRate: frameRate, seed: 1,
            components: [Component(id: id, parameters: parameters, filling: .phone)])
    }
}
