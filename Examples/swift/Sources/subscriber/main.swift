// Prints where the views of a session stand, at each of its frames: swift run subscriber SESSION
//
// GESTURED_UPDATES and GESTURED_CONTROL name the daemon's endpoints, as for gesturectl.
import Foundation
import GesturedClient

func say(_ text: String, to output: FileHandle = .standardOutput) {
    output.write(Data((text + "\n").utf8))
}

guard CommandLine.arguments.count == 2 else {
    say("usage: subscriber SESSION", to: .standardError)
    exit(2)
}
let name = CommandLine.arguments[1]

do {
    let endpoints = Endpoints(environment: ProcessInfo.processInfo.environment)
    let connection = try Connection(to: endpoints)
    var picture = SessionPicture()
    for try await update in connection.updates(of: ["scene/\(name)", "frame/\(name)"]) {
        picture.take(update)
        guard update.topic == "frame/\(name)" else { continue }
        say("\(update.time)")
        for layer in picture.layers {
            let middle = layer.matrix.apply(layer.width / 2, layer.height / 2)
            say("  \(layer.component)/\(layer.view)  (\(middle.x), \(middle.y))")
        }
    }
} catch {
    say("subscriber: \(error)", to: .standardError)
    exit(1)
}
