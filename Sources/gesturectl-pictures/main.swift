import Commands

// The part of gesturectl that draws. gesturectl starts it where a command asks for a picture.
Tool([.render.running(render), .plot.running(plot), .watch.running(draw)], part: .pictures).main()
