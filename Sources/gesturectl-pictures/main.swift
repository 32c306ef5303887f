import Commands

// What draws, of gesturectl: it starts this program where a command line asks for a picture.
Tool([.render.running(render), .plot.running(plot), .watch.running(draw)], part: .pictures).main()
