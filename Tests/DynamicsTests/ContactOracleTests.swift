import Dynamics
import Geometry
import Testing

/// Scenes whose result in Box2D 2.3 is stable under moving every item by 0.01 pt.
@Suite struct ContactOracleTests {
    @Test func thereAreEnoughScenes() {
        #expect(ContactScene.all.count >= 150)
    }

    @Test(arguments: ContactScene.all)
    func everythingRestsWhereBox2DPutsIt(scene: ContactScene) {
        var scene = scene
        var steps = 0
        while !scene.animator.isResting && steps < 2_600 {
            scene.animator.step()
            steps += 1
        }
        #expect(abs(steps - scene.restStep) < max(60, scene.restStep / 5))
        for (body, end) in zip(scene.bodies, scene.ends) {
            let motion = scene.animator.motion(of: body)
            #expect((motion.center - end.center).length < 1)
            #expect(abs(motion.rotation - end.rotation) < 0.05)
        }
        #expect(scene.overlap < 1)
    }

    @Test(arguments: ContactScene.all.filter(\.isSimple))
    func contactsMakeNoEnergy(scene: ContactScene) {
        var scene = scene
        let start = scene.energy
        var most = start
        while !scene.animator.isResting {
            scene.animator.step()
            most = max(most, scene.energy)
        }
        #expect(most <= 1.01 * start, "from \(start) to \(most)")
    }
}
