import Commands
import PictureCommands

// The part of gesturectl that draws. gesturectl starts it where a command asks for a picture.
Tool(pictureCommands, part: .pictures).main()
