// The scenes of Benchmarks/box2d.cpp as worlds of the daemon's own engine.
//
//   worlds SCENE SECONDS    steps scenes for this time and prints a line of JSON, as `box2d` does.

import Geometry

let arguments = CommandLine.arguments
guard arguments.count > 2, let seconds = Double(arguments[2]) else { usage() }
switch arguments[1] {
case "snap": measure(SnapScene.self, for: seconds)
case "tip": measure(TipScene.self, for: seconds)
case "stack": measure(StackScene.self, for: seconds)
default: usage()
}

func usage() -> Never { fatalError("usage: worlds snap|tip|stack SECONDS") }
