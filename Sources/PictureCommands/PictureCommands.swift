package import Commands

/// The commands that draw, with the functions that perform them; `Commands/Descriptions` describes
/// them.
package let pictureCommands: [Command] = [
    .render.running(render), .plot.running(plot), .watch.running(draw),
]
