// Throws the view of the session's component `toss` to the right, and prints how it flies:
//
//   mono Toss.exe ws://127.0.0.1:7480/ alice
using System;
using System.Linq;
using System.Threading;
using Gestured;
using Map = System.Collections.Generic.Dictionary<string, object>;

static class Toss
{
    const int FrameMilliseconds = 16;

    static int Main(string[] arguments)
    {
        if (arguments.Length != 2)
        {
            Console.Error.WriteLine("usage: mono Toss.exe ws://HOST:PORT/ SESSION");
            return 2;
        }
        var scene = Json.Read(@"{""viewport"":[320,568],
            ""components"":[{""id"":""toss"",""kind"":""toss"",""frame"":[33,137,254,172]}]}");
        using (var client = new Client(arguments[0]))
        {
            for (int frames = 1; !client.IsOpen; frames++)
            {
                Wait(client);
                if (frames == 120) Console.Error.WriteLine($"no gesture-web at {arguments[0]} yet");
            }
            client.Request("open", new Map { { "session", arguments[1] }, { "scene", scene } });
            var session = client.Watch(arguments[1]);
            bool isThrown = false;
            session.Heard += (kind, body) =>
            {
                if (kind != "transition") return;
                Console.WriteLine($"{body["name"]} {body["event"]}");
                isThrown = isThrown || Equals(body["name"], "toss");
            };
            while (session.Layers().Count == 0) Wait(client);
            // A hand that a busy machine slows down only drops it.
            while (!isThrown)
            {
                Throw(client, session);
                do Wait(client); while (!isThrown && Phase(session) != "resting");
            }
            var item = session.Layers().Last().Children.First(it => it.View == "item");
            Console.WriteLine($"thrown at {item.Left + item.W / 2:0}, {item.Top + item.H / 2:0}");
            while (Phase(session) != "resting") Wait(client);
        }
        return 0;
    }

    /// A finger that lands on the view, is fast, and lets go.
    static void Throw(Client client, Session session)
    {
        session.Touch(1, "began", 160, 223);
        for (double x = 160; x < 300; x += 20)
        {
            session.Touch(1, "changed", x, 223);
            Wait(client);
        }
        session.Touch(1, "ended", 300, 223);
    }

    static string Phase(Session session)
    {
        return (session.States.Find("toss") as Map ?? new Map()).Find("phase") as string;
    }

    /// One frame of an engine.
    static void Wait(Client client)
    {
        Thread.Sleep(FrameMilliseconds);
        client.Update();
    }
}
