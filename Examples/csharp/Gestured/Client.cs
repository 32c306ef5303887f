// A client of gestured for C#, in three files and without a package: see ../README.md.
//
// It speaks to a gesture-web by System.Net.WebSockets. All of it is called on one thread, the
// engine's main one: call Client.Update() once a frame; every event and answer comes from there.
// Bodies are Map (Dictionary<string, object>), with List<object>, string, double, bool and null.
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net.WebSockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Map = System.Collections.Generic.Dictionary<string, object>;

namespace Gestured
{
    /// A request that was refused, by a code of docs/protocol/publish.md, or with `unavailable`:
    /// no daemon answered, so that it may or may not have been done. `Failed` tells of a message
    /// that the gesture-web itself refused, by one of the codes of docs/web.md.
    public sealed class Refused : Exception
    {
        public readonly string Code;
        public Refused(string code, string message) : base(message) { Code = code; }
    }

    public sealed class Client : IDisposable
    {
        // Messages read and not delivered; then it reads no more, and gesture-web merges frames.
        const int UndeliveredMax = 1000;
        // Messages of a connection that are not sent yet; further ones are refused.
        const int UnsentMax = 1000;
        // Bytes of one message: the largest session's export has fewer.
        const int MessageBytesMax = 16 << 20;
        // Seconds: without a heartbeat after one came; between attempts; between repeats.
        const double Silence = 5, PauseMin = 0.1, PauseMax = 1, Repeat = 0.1;

        /// One WebSocket, from its opening to its end.
        sealed class Link
        {
            public readonly ClientWebSocket Socket = new ClientWebSocket();
            public readonly ConcurrentQueue<string> Unsent = new ConcurrentQueue<string>();
            public readonly SemaphoreSlim HasUnsent = new SemaphoreSlim(0);
            public readonly CancellationTokenSource End = new CancellationTokenSource();
        }

        struct Arrival { public Link Link; public string Text; public bool IsOpening; }
        sealed class Taker { public string Prefix; public Action<string, Map> Take; }
        sealed class Later { public double Time; public Action Act; }

        readonly Uri url;
        readonly ConcurrentQueue<Arrival> arrived = new ConcurrentQueue<Arrival>();
        readonly List<Taker> takers = new List<Taker>();
        readonly Dictionary<double, Action<Map>> asked = new Dictionary<double, Action<Map>>();
        readonly List<Later> laters = new List<Later>();
        readonly List<Session> sessions = new List<Session>();
        // Seconds until a prefix that was refused is asked for again; such a one was told.
        readonly Dictionary<string, double> pauses = new Dictionary<string, double>();
        readonly Stopwatch clock = Stopwatch.StartNew();
        Link link;
        volatile Link latest;
        string run;
        double lastId, lastBeat = double.PositiveInfinity;
        volatile bool isClosed;

        /// `url` as ws://host:7480/, or wss:// behind a proxy; else UriFormatException.
        public Client(string url)
        {
            this.url = new Uri(url);
            if (this.url.Scheme != "ws" && this.url.Scheme != "wss")
                throw new UriFormatException($"'{url}' begins with neither ws:// nor wss://");
            Subscribe("heartbeat", (_, body) =>
            {
                lastBeat = Now;
                string epoch = body.Find("epoch") as string;
                // The answer to a sync has told of the daemon's run before the first heartbeat.
                if (run != null && run != epoch) JoinAll();
                run = epoch;
            });
            Task.Run(Connect);
        }

        /// Tells of a message that was refused, such as an event above a rate: no call waits for an
        /// answer that could fail. Where nobody listens it is a line on standard error.
        public event Action<Refused> Failed;

        /// Messages that were dropped, since they are not as docs/web.md says.
        public int Unread { get; private set; }

        /// Whether there is a connection to the gesture-web.
        public bool IsOpen { get { return link != null; } }

        /// Seconds since the client was made.
        internal double Now { get { return clock.Elapsed.TotalSeconds; } }

        /// Delivers what has come. Call it once a frame.
        public void Update()
        {
            Arrival one;
            // Messages that come meanwhile wait for the next frame.
            for (int left = arrived.Count; left > 0 && arrived.TryDequeue(out one); left--)
            {
                if (one.IsOpening) Open(one.Link);
                else if (one.Link != link) continue;
                else if (one.Text == null) Lose();
                else Deliver(one.Text);
            }
            foreach (var later in laters.Where(it => it.Time <= Now).ToArray())
            {
                laters.Remove(later);
                later.Act();
            }
            foreach (var session in sessions.ToArray()) session.RepeatContacts();
            if (Now - lastBeat > Silence) Cut(link);
        }

        /// Sends an event, and nobody answers. False without a connection.
        public bool Publish(string topic, Map body)
        {
            return Send(new Map { { "topic", topic }, { "body", body } });
        }

        /// Sends an event until it is applied and durable. Notifications and commands get an id, so
        /// that the daemon applies them once; a gesture is sent once.
        public async Task<Map> Acknowledged(string topic, Map body)
        {
            bool isGesture = topic.StartsWith("gesture/");
            if (!isGesture && !body.ContainsKey("id"))
                body = new Map(body) { { "id", Guid.NewGuid().ToString("N") } };
            var fields = new Map { { "topic", topic }, { "body", body } };
            while (true)
            {
                try { return await Request("publish", fields); }
                catch (Refused error)
                {
                    if (error.Code != "unavailable" || isGesture || isClosed) throw;
                }
                var pause = new TaskCompletionSource<bool>();
                After(Repeat, () => pause.SetResult(true));
                await pause.Task;
            }
        }

        /// Asks the daemon; throws Refused.
        public Task<Map> Request(string op, Map fields)
        {
            var answer = new TaskCompletionSource<Map>();
            Ask(op, fields, reply =>
            {
                if (Equals(reply.Find("ok"), true)) { answer.SetResult(reply); return; }
                var error = reply.Find("error") as Map ?? new Map();
                string code = $"{error.Find("code")}", message = $"{error.Find("message")}";
                answer.SetException(new Refused(code, message));
            });
            return answer.Task;
        }

        /// Calls `take` for each update whose topic begins so, until the returned action is called.
        public Action Subscribe(string prefix, Action<string, Map> take)
        {
            var one = new Taker { Prefix = prefix, Take = take };
            takers.Add(one);
            Send(new Map { { "subscribe", prefix } });
            return () =>
            {
                if (!takers.Remove(one) || takers.Any(it => it.Prefix == prefix)) return;
                Send(new Map { { "unsubscribe", prefix } });
            };
        }

        /// Follows a session, also one that does not exist yet, over lost connections and restarts.
        public Session Watch(string name)
        {
            var session = new Session(this, name);
            sessions.Add(session);
            session.Join();
            return session;
        }

        public void Dispose()
        {
            isClosed = true;
            Cut(latest);
            Lose();
        }

        /// Ends a connection. It may take locks of the WebSocket, and the main thread never waits.
        static void Cut(Link link)
        {
            if (link != null) Task.Run(() => link.End.Cancel());
        }

        internal void Forget(Session session) { sessions.Remove(session); }

        internal void After(double seconds, Action act)
        {
            laters.Add(new Later { Time = Now + seconds, Act = act });
        }

        /// Calls `take` with the reply, on the main thread and in the replies' order.
        internal void Ask(string op, Map fields, Action<Map> take)
        {
            double id = ++lastId;
            // Add throws where `fields` has a name that is the client's own.
            var request = new Map(fields) { { "op", op }, { "id", id } };
            asked[id] = take;
            if (!Send(new Map { { "request", request } })) Fail(id);
        }

        void Fail(double id)
        {
            Action<Map> take;
            if (!asked.TryGetValue(id, out take)) return;
            asked.Remove(id);
            const string Why = "there is no connection";
            var error = new Map { { "code", "unavailable" }, { "message", Why } };
            take(new Map { { "ok", false }, { "error", error } });
        }

        void Open(Link opened)
        {
            link = opened;
            run = null;
            pauses.Clear();
            lastBeat = double.PositiveInfinity;
            foreach (var prefix in takers.Select(it => it.Prefix).Distinct().ToArray())
                Send(new Map { { "subscribe", prefix } });
            JoinAll();
        }

        void Lose()
        {
            link = null;
            foreach (double id in asked.Keys.ToArray()) Fail(id);
        }

        void JoinAll() { foreach (var session in sessions.ToArray()) session.Join(); }

        void Deliver(string text)
        {
            Map message;
            try { message = Json.Read(text) as Map ?? new Map(); }
            catch (FormatException) { message = new Map(); }
            var topic = message.Find("topic") as string;
            var body = message.Find("body") as Map;
            var reply = message.Find("reply") as Map;
            var error = message.Find("error") as Map;
            Action<Map> take;
            if (topic != null && body != null)
            {
                if (topic.StartsWith("sync/")) run = run ?? body.Find("epoch") as string;
                foreach (var one in takers.ToArray())
                {
                    bool isWanted = topic.StartsWith(one.Prefix, StringComparison.Ordinal);
                    if (isWanted) one.Take(topic, body);
                }
            }
            else if (reply != null && reply.Find("id") is double id)
            {
                if (!asked.TryGetValue(id, out take)) return;
                asked.Remove(id);
                take(reply);
            }
            else if (error != null) Complain(error);
            else if (!message.ContainsKey("web")) Unread++;
        }

        void Complain(Map error)
        {
            var prefix = error.Find("subscribe") as string;
            bool isTold = prefix != null && !SubscribeLater(prefix);
            if (isTold) return;
            var refused = new Refused($"{error.Find("code")}", $"{error.Find("message")}");
            if (Failed != null) Failed(refused);
            else Console.Error.WriteLine(
                $"gesture-web refused a message: {refused.Code}: {refused.Message}");
        }

        /// Asks again for a prefix that was refused: there may be room by then. Whether it is the
        /// first time.
        bool SubscribeLater(string prefix)
        {
            double pause;
            bool isFirst = !pauses.TryGetValue(prefix, out pause);
            if (isFirst) pause = PauseMin;
            pauses[prefix] = Math.Min(2 * pause, PauseMax);
            var asking = link;
            After(pause, () =>
            {
                bool isWanted = takers.Any(it => it.Prefix == prefix);
                if (asking == link && isWanted) Send(new Map { { "subscribe", prefix } });
            });
            return isFirst;
        }

        bool Send(Map message)
        {
            if (link == null || link.Unsent.Count >= UnsentMax) return false;
            link.Unsent.Enqueue(Json.Write(message));
            link.HasUnsent.Release();
            return true;
        }

        // Everything below runs beside the main thread.

        async Task Connect()
        {
            for (double pause = PauseMin; !isClosed; pause = Math.Min(2 * pause, PauseMax))
            {
                var one = latest = new Link();
                try
                {
                    if (isClosed) return;
                    // The bridge pings; a timer here could outlive the client.
                    one.Socket.Options.KeepAliveInterval = TimeSpan.Zero;
                    await one.Socket.ConnectAsync(url, one.End.Token).ConfigureAwait(false);
                    pause = PauseMin;
                    arrived.Enqueue(new Arrival { Link = one, IsOpening = true });
                    var ways = new[] { Receive(one), SendAll(one) };
                    await Task.WhenAny(ways).ConfigureAwait(false);
                }
                catch (Exception) { /* The next attempt comes after the pause. */ }
                one.End.Cancel();
                one.Socket.Dispose();
                arrived.Enqueue(new Arrival { Link = one });
                if (isClosed) return;
                await Task.Delay(TimeSpan.FromSeconds(pause)).ConfigureAwait(false);
            }
        }

        async Task Receive(Link from)
        {
            var part = new ArraySegment<byte>(new byte[64 << 10]);
            var message = new MemoryStream();
            while (!from.End.IsCancellationRequested)
            {
                while (arrived.Count >= UndeliveredMax)
                    await Task.Delay(10, from.End.Token).ConfigureAwait(false);
                var got = await from.Socket.ReceiveAsync(part, from.End.Token)
                    .ConfigureAwait(false);
                if (got.MessageType != WebSocketMessageType.Text) return;
                if (message.Length + got.Count > MessageBytesMax) return;
                message.Write(part.Array, 0, got.Count);
                if (!got.EndOfMessage) continue;
                string text = Encoding.UTF8.GetString(message.GetBuffer(), 0, (int)message.Length);
                arrived.Enqueue(new Arrival { Link = from, Text = text });
                message.SetLength(0);
            }
        }

        async Task SendAll(Link to)
        {
            string text;
            while (true)
            {
                await to.HasUnsent.WaitAsync(to.End.Token).ConfigureAwait(false);
                if (!to.Unsent.TryDequeue(out text)) continue;
                var bytes = new ArraySegment<byte>(Encoding.UTF8.GetBytes(text));
                await to.Socket.SendAsync(bytes, WebSocketMessageType.Text, true, to.End.Token)
                    .ConfigureAwait(false);
            }
        }
    }
}
