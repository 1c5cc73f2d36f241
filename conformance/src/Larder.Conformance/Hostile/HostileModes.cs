using System.IO.Compression;
using static Larder.Conformance.Hostile.HostileFrame;
using static Larder.Harness.Frames.Http2Frame;

namespace Larder.Conformance.Hostile;

/// <summary>
/// All kinds of hostile behaviour, at the level of the connection, the stream and the message. Also contains a good server, which validates the harness.
/// </summary>
internal static class HostileModes
{
    // A flood ends when the client closes the connection, or after 64 MB. No client should buffer that much data.
    private const int FloodBytes = 64 << 20;

    // The value GetResponse { result = Hit, value = "v" }.
    private static readonly byte[] s_hit = [.. Field(1, 2), .. Field(2, "v"u8)];

    /// <summary>Answers every get with a hit.</summary>
    public static readonly HostileMode Good = Answering("a good server", Field(4, s_hit), s_hit);

    public static IReadOnlyList<HostileMode> All { get; } = [.. Connections(), .. Streams(), .. Messages(), .. Outcomes()];

    private static IEnumerable<HostileMode> Connections() =>
    [
        Greeting("garbage", peer => Then(peer.SendAsync(peer.Random.Bytes(5_000)), peer.Close)),
        Greeting("an answer of HTTP/1.1", peer => Then(peer.SendAsync("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"u8.ToArray()), peer.Close)),
        Greeting("closed at once", peer => Then(Task.CompletedTask, peer.Close)),
        Greeting("silence", _ => Task.CompletedTask),
        Greeting("a ping before the settings", peer => peer.SendAsync(Of(Ping, 0, 0, new byte[8]))),
        Greeting("settings that allow no stream", peer => peer.SendAsync(SettingsOf((3, 0)))),
        Greeting("settings of the wrong length", peer => peer.SendAsync(Of(Settings, 0, 0, new byte[5]))),
        Greeting("settings with a window of 2^32-1", peer => peer.SendAsync(SettingsOf((4, uint.MaxValue)))),
        Greeting(
            "settings of thousands of entries",
            peer => Flood(peer, SettingsOf([.. Enumerable.Range(0, 2_730).Select(i => ((ushort)4, (uint)i))]), FloodBytes / 8)),
        Greeting("a flood of settings", peer => Flood(peer, Repeat(SettingsOf((4, 65_536)), 1_000), FloodBytes / 4)),
        Greeting("a flood of pings", peer => Flood(peer, Repeat(Of(Ping, 0, 0, new byte[8]), 1_000), FloodBytes / 4)),
        Greeting("a frame of 16 MB announced", peer => After(peer, [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1])),
        Greeting("a push", peer => After(peer, Of(PushPromise, EndHeaders, 1, [0, 0, 0, 2, .. AnswerHead]))),
        Greeting("going away at once", peer => After(peer, Of(GoAway, 0, 0, new byte[8]))),
        Greeting("going away, too short", peer => After(peer, Of(GoAway, 0, 0, [0]))),
        Greeting("windows beyond 2^31", peer => After(peer, Repeat(WithNumber(WindowUpdate, 0, int.MaxValue), 3))),
    ];

    private static IEnumerable<HostileMode> Streams() =>
    [
        OnHeaders("headers that are no HPACK", (_, stream) => Of(Headers, EndHeaders, stream, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF])),
        OnHeaders("headers with a broken huffman code", (_, stream) => Of(Headers, EndHeaders, stream, [0x00, 0x81, 0xFF, 0x84, 0xFF, 0xFF, 0xFF, 0xFF])),
        // The headers contain 12,000 references to one field of 4,000 bytes. They expand to 48 MB.
        OnHeaders("headers that decompress to a thousand times their size", (_, stream) =>
            Of(Headers, EndHeaders, stream, [.. AnswerHead, .. Header("x-b", new string('y', 4_000), 0x40), .. Enumerable.Repeat((byte)0xBE, 12_000)])),
        OnHeaders("headers on a stream of the server's own", (_, _) => Of(Headers, EndHeaders, 2, AnswerHead)),
        OnHeaders("a head and then silence", (_, stream) => Of(Headers, EndHeaders, stream, AnswerHead)),
        OnHeaders(
            "a status of HTTP 500 and HTML",
            (_, stream) =>
                [
                    .. Of(Headers, EndHeaders, stream, [.. Header(":status", "500"), .. Header("content-type", "text/html")]),
                    .. Of(Data, EndStream, stream, "<html>"u8),
                ]),
        OnHeaders("a status of HTTP that is no number", (_, stream) => Of(Headers, EndHeaders | EndStream, stream, Header(":status", "abc"))),
        OnHeaders("a reset of every stream", (_, stream) => WithNumber(Reset, stream, 8)),
        OnHeaders("ENHANCE_YOUR_CALM for every stream", (_, stream) => WithNumber(Reset, stream, 11)),
        Flooding(
            "endless empty continuations",
            (_, stream) => Of(Headers, 0, stream, AnswerHead),
            stream => Repeat(Of(Continuation, 0, stream, []), 1_000)),
        Flooding(
            "endless continuations",
            (_, stream) => Of(Headers, 0, stream, AnswerHead),
            stream => Repeat(Of(Continuation, 0, stream, Header("a", "b")), 1_000)),
        Flooding("endless interim answers", (_, _) => [], stream => Repeat(Of(Headers, EndHeaders, stream, Header(":status", "103")), 1_000)),
        OnData("an answer without a message", (_, stream, _) => Answer(stream, [])),
        OnData("an answer without an end", (peer, stream, data) => [.. Of(Headers, EndHeaders, stream, AnswerHead), .. InData(stream, Message(s_hit))]),
        OnData("an end without a status", (_, stream, _) => Of(Headers, EndHeaders | EndStream, stream, AnswerHead)),
        OnData(
            "a status of eleven digits and a text of escapes",
            (_, stream, _) =>
                Of(
                    Headers,
                    EndHeaders | EndStream,
                    stream,
                    [.. AnswerHead, .. Header("grpc-status", "99999999999"), .. Header("grpc-message", "%zz%E2%28%A1<script>\u00E9")])),
        OnData(
            "a status that is no number",
            (_, stream, _) => Of(Headers, EndHeaders | EndStream, stream, [.. AnswerHead, .. Header("grpc-status", "-x")])),
        OnData("an answer, and then more of it", (_, stream, _) => [.. Answer(stream, Message(s_hit)), .. Answer(stream, Message(s_hit))]),
        OnData("half of an answer, and a reset", (_, stream, _) =>
            [.. Of(Headers, EndHeaders, stream, AnswerHead), .. InData(stream, Message(s_hit).AsSpan()[..^2]), .. WithNumber(Reset, stream, 2)]),
        OnData("random frames", (peer, stream, _) => peer.Random.Frames(stream, s_hit)),
    ];

    private static IEnumerable<HostileMode> Messages() =>
    [
        InOpenStream("a message of 4 GB announced", (_, _) => [.. Promise(uint.MaxValue), .. new byte[1_000]]),
        InOpenStream("a message cut off and the stream ended", (_, _) => Promise(10), ends: true),
        InOpenStream("a compressed message that was not agreed on", (_, _) => Message("a"u8, flag: 1)),
        InOpenStream("a message's flag of 2", (_, _) => Message(s_hit, flag: 2)),
        InOpenStream("a random message", (peer, _) => Message([.. Field(1, peer.Random.Message()), .. peer.Random.Message()])),
        InOpenStream("random outcomes of calls in flight", (peer, ids) => Results(ids, _ => peer.Random.Message())),
        InOpenStream("results of ids that nobody asked", (_, _) => Results([4_000_000_000, 77], _ => Field(4, s_hit))),
        InOpenStream("each result twice", (_, ids) => [.. Results(ids, _ => Field(4, s_hit)), .. Results(ids, _ => Field(4, s_hit))]),
        Bomb(),
        Flooding(
            "bytes beyond every window",
            (_, stream) => Of(Headers, EndHeaders, stream, AnswerHead),
            stream => Of(Data, 0, stream, [0, 0, 0xA0, 0, 0, .. new byte[16_379]])),
        Flooding(
            "endless results of one id",
            (_, stream) => Of(Headers, EndHeaders, stream, AnswerHead),
            stream => Repeat(InData(stream, Results([0], _ => Field(4, s_hit))), 500)),
        Flooding("endless empty data", (_, stream) => Of(Headers, EndHeaders, stream, AnswerHead), stream => Repeat(Of(Data, 0, stream, []), 1_000)),
    ];

    // Returns modes that each answer with one malformed outcome. On a pipeline, the answer contains this outcome once for the id of each call in flight. For a
    // unary call, the outcome is the only message.
    private static IEnumerable<HostileMode> Outcomes() =>
    [
        Answering("a status that is no message", Field(2, [0x12, 0xFF, 0x01]), [0x12, 0xFF, 0x01]),
        Answering("a status that is OK", Field(2, Field(1, 0)), []),
        Answering("a status of 2^32-1", Field(2, Field(1, uint.MaxValue)), Field(1, uint.MaxValue)),
        Answering("a status whose text is not UTF-8", Field(2, [.. Field(1, 5), .. Field(2, [0xFF, 0xFE])]), Field(3, [0xFF, 0xFE])),
        Answering("a group's end", [0x34], [0x34]),
        Answering("a group's beginning", [0x33], [0x33]),
        Answering("a wire type of 7", [0x27], [0x0F]),
        Answering("a tag alone", [0x22], [0x12]),
        Answering("a number that never ends", [0x20, .. Repeat([0xFF], 11)], [0x08, .. Repeat([0xFF], 11)]),
        Answering("a length of 4 GB", [0x22, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], [0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
        Answering("a length of 2^63", [0x22, .. Repeat([0x80], 9), 0x01], [0x12, .. Repeat([0x80], 9), 0x01]),
        Answering("a value cut short", Field(4, [0x08, 0x02, 0x12, 0x7F, 1]), [0x08, 0x02, 0x12, 0x7F, 1]),
        Answering("a get's result of 50", Field(4, Field(1, 50)), Field(1, 50)),
        Answering("no outcome", [], []),
        Answering("another call's outcome", Field(6, []), Field(100, [1])),
        Answering("two outcomes", [.. Field(4, s_hit), .. Field(2, Field(1, 14))], [.. s_hit, .. s_hit]),
        Answering("a field of fixed width for a message", [0x25, 1, 2, 3, 4], [0x15, 1, 2, 3, 4]),
        Answering("messages in messages, thousands deep", Nested(4, 5_000), Nested(2, 5_000)),
        Answering("use_unary for everything", Field(3, []), []),
    ];

    private static HostileMode Greeting(string name, Func<HostilePeer, Task> greeting) => new(name) { OnConnect = greeting };

    private static HostileMode OnHeaders(string name, Func<HostilePeer, int, byte[]> frames) =>
        new(name) { OnHeaders = (peer, stream) => peer.SendAsync(frames(peer, stream)) };

    private static HostileMode OnData(string name, Func<HostilePeer, int, byte[], byte[]> frames) =>
        new(name) { OnData = (peer, stream, data) => peer.SendAsync(frames(peer, stream, data)) };

    private static HostileMode Flooding(string name, Func<HostilePeer, int, byte[]> first, Func<int, byte[]> again) => new(name)
    {
        OnHeaders = async (peer, stream) =>
        {
            await peer.SendAsync(first(peer, stream)).ConfigureAwait(false);
            await Flood(peer, again(stream), FloodBytes / 4).ConfigureAwait(false);
        },
    };

    // Returns a mode that sends bytes in a stream whose headers are valid. The headers are sent when the stream opens. On a pipeline the stream then stays
    // open. A unary call is answered completely when its message has arrived.
    private static HostileMode InOpenStream(string name, Func<HostilePeer, IReadOnlyList<uint>, byte[]> bytes, bool ends = false) => new(name)
    {
        OnHeaders = (peer, stream) => peer.SendAsync(Of(Headers, EndHeaders, stream, AnswerHead)),
        OnData = (peer, stream, data) =>
            peer.SendAsync([
                .. InData(stream, bytes(peer, peer.IsPipeline ? PipelinedIds.Read(data) : [0])),
                .. ends || !peer.IsPipeline ? Of(Headers, EndHeaders | EndStream, stream, AnswerEnd) : [],
            ]),
    };

    private static HostileMode Answering(string name, byte[] outcome, byte[] message) => new(name)
    {
        OnHeaders = (peer, stream) => peer.IsPipeline ? peer.SendAsync(Of(Headers, EndHeaders, stream, AnswerHead)) : Task.CompletedTask,
        OnData = (peer, stream, data) => peer.SendAsync(
            peer.IsPipeline ? InData(stream, Results(PipelinedIds.Read(data), _ => outcome)) : Answer(stream, Message(message))),
    };

    // Half a megabyte that decompresses to 512 MB of zeros, a ratio of 1,000.
    private static HostileMode Bomb()
    {
        byte[] head = [.. AnswerHead, .. Header("grpc-encoding", "gzip")];
        var zipped = new Lazy<byte[]>(() =>
        {
            using var bytes = new MemoryStream();
            using (var gzip = new GZipStream(bytes, CompressionLevel.Optimal))
            {
                byte[] zeros = new byte[1 << 20];
                for (int i = 0; i < 512; i++)
                {
                    gzip.Write(zeros);
                }
            }

            return Message(bytes.ToArray(), flag: 1);
        });
        return new HostileMode("a gzip bomb")
        {
            OnData = (peer, stream, _) => peer.SendAsync(
                [.. Of(Headers, EndHeaders, stream, head), .. InData(stream, zipped.Value), .. Of(Headers, EndHeaders | EndStream, stream, AnswerEnd)]),
        };
    }

    private static byte[] Results(IEnumerable<uint> ids, Func<uint, byte[]> outcome) =>
        Message([.. ids.SelectMany(id => Field(1, [.. Field(1, id), .. outcome(id)]))]);

    private static byte[] Nested(int field, int depth)
    {
        byte[] message = [];
        for (int i = 0; i < depth; i++)
        {
            message = Field(field, message);
        }

        return message;
    }

    private static byte[] Repeat(byte[] bytes, int times) => [.. Enumerable.Repeat(bytes, times).SelectMany(each => each)];

    private static Task Flood(HostilePeer peer, byte[] bytes, int upTo) => peer.RepeatAsync(bytes, Math.Max(1, upTo / bytes.Length));

    private static Task After(HostilePeer peer, byte[] bytes) => peer.SendAsync([.. HostileMode.GoodSettings, .. bytes]);

    private static async Task Then(Task first, Action next)
    {
        await first.ConfigureAwait(false);
        next();
    }
}
