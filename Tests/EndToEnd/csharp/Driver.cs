// Lets a test drive the client: one JSON object a line in, one a line out. It ends with its input.
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Gestured;
using Map = System.Collections.Generic.Dictionary<string, object>;

static class Driver
{
    static readonly ConcurrentQueue<string> lines = new ConcurrentQueue<string>();
    static readonly List<string> heard = new List<string>(), failed = new List<string>();
    static Client client;
    static Session session;

    static int Main(string[] arguments)
    {
        client = new Client(arguments[0]);
        bool isEnded = false;
        new Thread(() =>
        {
            string line;
            while ((line = Console.In.ReadLine()) != null) lines.Enqueue(line);
            isEnded = true;
        }) { IsBackground = true }.Start();
        for (; !isEnded; Thread.Sleep(2))
        {
            string line;
            while (lines.TryDequeue(out line))
            {
                Map asked = (Map)Json.Read(line), answer = Do(asked);
                if (answer != null) Say(asked, answer);
            }
            client.Update();
        }
        client.Dispose();
        Say(new Map { { "id", 0 } }, new Map { { "closed", client.IsOpen == false } });
        // Mono's own end hangs now and then, where other threads still run.
        System.Diagnostics.Process.GetCurrentProcess().Kill();
        return 0;
    }

    static void Say(Map asked, Map answer)
    {
        Console.Out.WriteLine(Json.Write(new Map { { "id", asked["id"] }, { "answer", answer } }));
        Console.Out.Flush();
    }

    /// Null where the answer comes later.
    static Map Do(Map asked)
    {
        switch ((string)asked["do"])
        {
            case "send":
                client.Publish((string)asked["topic"], asked.Object("body"));
                return new Map();
            case "subscribe":
                client.Subscribe((string)asked["prefix"], (_, __) => { });
                return new Map();
            case "listen":
                client.Failed += refused => failed.Add(refused.Code);
                return new Map();
            case "watch":
                session = client.Watch((string)asked["session"]);
                session.Heard += (kind, body) => heard.Add(kind);
                return new Map();
            case "shown":
                return new Map {
                    { "open", client.IsOpen }, { "joined", session.Joined },
                    { "epoch", session.Epoch }, { "scene", session.Scene },
                    { "states", session.States }, { "badge", session.Badge },
                    { "layers", session.Layers().Select(Flat).ToList() }, { "heard", heard },
                    { "unread", client.Unread }, { "failed", failed } };
            case "touch":
                session.Touch((int)asked.Number("pointer"), (string)asked["phase"],
                    asked.Number("x"), asked.Number("y"));
                return new Map();
            case "json":
                return new Map { { "read", Read((string)asked["text"]) } };
            case "publish":
                Answer(asked, client.Acknowledged((string)asked["topic"], asked.Object("body")));
                return null;
            case "request":
                Answer(asked, client.Request((string)asked["op"], asked.Object("fields")));
                return null;
        }
        return new Map { { "unknown", asked["do"] } };
    }

    static object Read(string text)
    {
        try { return Json.Read(text); }
        catch (FormatException error) { return error.Message; }
    }

    static async void Answer(Map asked, Task<Map> task)
    {
        try { Say(asked, await task); }
        catch (Refused error) { Say(asked, new Map { { "code", error.Code } }); }
    }

    static Map Flat(Layer one)
    {
        return new Map {
            { "key", one.Key }, { "component", one.Component }, { "view", one.View },
            { "left", one.Left }, { "top", one.Top }, { "w", one.W }, { "h", one.H },
            { "z", one.Z }, { "rotation", one.Rotation }, { "scale", one.Scale },
            { "alpha", one.Alpha }, { "clip", one.Clip }, { "round", one.Round },
            { "content", one.Content }, { "titles", one.Titles },
            { "children", one.Children.Select(Flat).ToList() } };
    }
}
