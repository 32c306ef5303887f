// Prints each frame of a session: swift run subscriber SESSION
//
// GESTURED_UPDATES and GESTURED_CONTROL name the daemon's endpoints, as for gesturectl.
import Foundation
import GesturedClient

guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: subscriber SESSION\n".utf8))
    exit(2)
}
let session = CommandLine.arguments[1]
let connection = try Connection(to: Endpoints())
var picture = SessionPicture()
setvbuf(stdout, nil, _IOLBF, 0)
for try await update in connection.updates(of: ["scene/\(session)", "frame/\(session)"]) {
    picture.take(update)
    guard update.topic == "frame/\(session)" else { continue }
    print(update.time)
    for layer in picture.layers {
        let corner = layer.matrix.apply(0, 0)
        print("  \(layer.component)/\(layer.view)  \(corner.x), \(corner.y)")
    }
}
