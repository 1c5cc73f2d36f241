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
        Greeting("an HTTP/1.1 response", peer => Then(peer.SendAsync("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"u8.ToArray()), peer.Close)),
        Greeting("connection closed immediately", peer => Then(Task.CompletedTask, peer.Close)),
        Greeting("silence", _ => Task.CompletedTask),
        Greeting("a PING frame before SETTINGS", peer => peer.SendAsync(Of(Ping, 0, 0, new byte[8]))),
        Greeting("MAX_CONCURRENT_STREAMS of 0", peer => peer.SendAsync(SettingsOf((3, 0)))),
        Greeting("a SETTINGS frame of invalid length", peer => peer.SendAsync(Of(Settings, 0, 0, new byte[5]))),
        Greeting("INITIAL_WINDOW_SIZE of 2^32-1", peer => peer.SendAsync(SettingsOf((4, uint.MaxValue)))),
        Greeting(
            "SETTINGS frames with thousands of entries",
            peer => Flood(peer, SettingsOf([.. Enumerable.Range(0, 2_730).Select(i => ((ushort)4, (uint)i))]), FloodBytes / 8)),
        Greeting("a flood of SETTINGS frames", peer => Flood(peer, Repeat(SettingsOf((4, 65_536)), 1_000), FloodBytes / 4)),
        Greeting("a flood of PING frames", peer => Flood(peer, Repeat(Of(Ping, 0, 0, new byte[8]), 1_000), FloodBytes / 4)),
        Greeting("a frame header that announces 16 MB", peer => After(peer, [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1])),
        Greeting("a PUSH_PROMISE frame", peer => After(peer, Of(PushPromise, EndHeaders, 1, [0, 0, 0, 2, .. AnswerHead]))),
        Greeting("GOAWAY immediately", peer => After(peer, Of(GoAway, 0, 0, new byte[8]))),
        Greeting("a truncated GOAWAY frame", peer => After(peer, Of(GoAway, 0, 0, [0]))),
        Greeting("flow-control windows above 2^31", peer => After(peer, Repeat(WithNumber(WindowUpdate, 0, int.MaxValue), 3))),
    ];

    private static IEnumerable<HostileMode> Streams() =>
    [
        OnHeaders("headers that are invalid HPACK", (_, stream) => Of(Headers, EndHeaders, stream, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF])),
        OnHeaders("headers with an invalid Huffman code", (_, stream) => Of(Headers, EndHeaders, stream, [0x00, 0x81, 0xFF, 0x84, 0xFF, 0xFF, 0xFF, 0xFF])),
        // The headers contain 12,000 references to one field of 4,000 bytes. They expand to 48 MB.
        OnHeaders("headers that expand to 1,000 times their size", (_, stream) =>
            Of(Headers, EndHeaders, stream, [.. AnswerHead, .. Header("x-b", new string('y', 4_000), 0x40), .. Enumerable.Repeat((byte)0xBE, 12_000)])),
        OnHeaders("headers on a stream opened by the server", (_, _) => Of(Headers, EndHeaders, 2, AnswerHead)),
        OnHeaders("response headers without further frames", (_, stream) => Of(Headers, EndHeaders, stream, AnswerHead)),
        OnHeaders(
            "HTTP status 500 with HTML",
            (_, stream) =>
                [
                    .. Of(Headers, EndHeaders, stream, [.. Header(":status", "500"), .. Header("content-type", "text/html")]),
                    .. Of(Data, EndStream, stream, "<html>"u8),
                ]),
        OnHeaders("an HTTP status that is not a number", (_, stream) => Of(Headers, EndHeaders | EndStream, stream, Header(":status", "abc"))),
        OnHeaders("RST_STREAM for every stream", (_, stream) => WithNumber(Reset, stream, 8)),
        OnHeaders("ENHANCE_YOUR_CALM for every stream", (_, stream) => WithNumber(Reset, stream, 11)),
        Flooding(
            "endless empty CONTINUATION frames",
            (_, stream) => Of(Headers, 0, stream, AnswerHead),
            stream => Repeat(Of(Continuation, 0, stream, []), 1_000)),
        Flooding(
            "endless CONTINUATION frames",
            (_, stream) => Of(Headers, 0, stream, AnswerHead),
            stream => Repeat(Of(Continuation, 0, stream, Header("a", "b")), 1_000)),
        Flooding("endless interim responses", (_, _) => [], stream => Repeat(Of(Headers, EndHeaders, stream, Header(":status", "103")), 1_000)),
        OnData("a response without a message", (_, stream, _) => Answer(stream, [])),
        OnData("a response that does not end", (peer, stream, data) => [.. Of(Headers, EndHeaders, stream, AnswerHead), .. InData(stream, Message(s_hit))]),
        OnData("a stream that ends without grpc-status", (_, stream, _) => Of(Headers, EndHeaders | EndStream, stream, AnswerHead)),
        OnData(
            "an eleven-digit grpc-status and a grpc-message of percent escapes",
            (_, stream, _) =>
                Of(
                    Headers,
                    EndHeaders | EndStream,
                    stream,
                    [.. AnswerHead, .. Header("grpc-status", "99999999999"), .. Header("grpc-message", "%zz%E2%28%A1<script>\u00E9")])),
        OnData(
            "a grpc-status that is not a number",
            (_, stream, _) => Of(Headers, EndHeaders | EndStream, stream, [.. AnswerHead, .. Header("grpc-status", "-x")])),
        OnData("a second response on a stream that has ended", (_, stream, _) => [.. Answer(stream, Message(s_hit)), .. Answer(stream, Message(s_hit))]),
        OnData("a truncated response, then RST_STREAM", (_, stream, _) =>
            [.. Of(Headers, EndHeaders, stream, AnswerHead), .. InData(stream, Message(s_hit).AsSpan()[..^2]), .. WithNumber(Reset, stream, 2)]),
        OnData("random frames", (peer, stream, _) => peer.Random.Frames(stream, s_hit)),
    ];

    private static IEnumerable<HostileMode> Messages() =>
    [
        InOpenStream("a message header that declares 4 GB", (_, _) => [.. Promise(uint.MaxValue), .. new byte[1_000]]),
        InOpenStream("a truncated message at the end of the stream", (_, _) => Promise(10), ends: true),
        InOpenStream("a compressed message without an agreed encoding", (_, _) => Message("a"u8, flag: 1)),
        InOpenStream("a compression flag of 2", (_, _) => Message(s_hit, flag: 2)),
        InOpenStream("a random message", (peer, _) => Message([.. Field(1, peer.Random.Message()), .. peer.Random.Message()])),
        InOpenStream("random outcomes for calls in flight", (peer, ids) => Results(ids, _ => peer.Random.Message())),
        InOpenStream("results with unknown ids", (_, _) => Results([4_000_000_000, 77], _ => Field(4, s_hit))),
        InOpenStream("each result twice", (_, ids) => [.. Results(ids, _ => Field(4, s_hit)), .. Results(ids, _ => Field(4, s_hit))]),
        Bomb(),
        Flooding(
            "data beyond the flow-control window",
            (_, stream) => Of(Headers, EndHeaders, stream, AnswerHead),
            stream => Of(Data, 0, stream, [0, 0, 0xA0, 0, 0, .. new byte[16_379]])),
        Flooding(
            "endless results for one id",
            (_, stream) => Of(Headers, EndHeaders, stream, AnswerHead),
            stream => Repeat(InData(stream, Results([0], _ => Field(4, s_hit))), 500)),
        Flooding("endless empty DATA frames", (_, stream) => Of(Headers, EndHeaders, stream, AnswerHead), stream => Repeat(Of(Data, 0, stream, []), 1_000)),
    ];

    // Returns modes that each answer with one malformed outcome. On a pipeline, the answer contains this outcome once for the id of each call in flight. For a
    // unary call, the outcome is the only message.
    private static IEnumerable<HostileMode> Outcomes() =>
    [
        Answering("a status that is not a valid message", Field(2, [0x12, 0xFF, 0x01]), [0x12, 0xFF, 0x01]),
        Answering("a status that is OK", Field(2, Field(1, 0)), []),
        Answering("a status of 2^32-1", Field(2, Field(1, uint.MaxValue)), Field(1, uint.MaxValue)),
        Answering("a status whose text is not UTF-8", Field(2, [.. Field(1, 5), .. Field(2, [0xFF, 0xFE])]), Field(3, [0xFF, 0xFE])),
        Answering("an end-group tag", [0x34], [0x34]),
        Answering("a start-group tag", [0x33], [0x33]),
        Answering("wire type 7", [0x27], [0x0F]),
        Answering("a tag without a value", [0x22], [0x12]),
        Answering("an unterminated varint", [0x20, .. Repeat([0xFF], 11)], [0x08, .. Repeat([0xFF], 11)]),
        Answering("a length of 4 GB", [0x22, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], [0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
        Answering("a length of 2^63", [0x22, .. Repeat([0x80], 9), 0x01], [0x12, .. Repeat([0x80], 9), 0x01]),
        Answering("a truncated value", Field(4, [0x08, 0x02, 0x12, 0x7F, 1]), [0x08, 0x02, 0x12, 0x7F, 1]),
        Answering("a get response with an unknown result", Field(4, Field(1, 50)), Field(1, 50)),
        Answering("no outcome", [], []),
        Answering("another call's outcome", Field(6, []), Field(100, [1])),
        Answering("two outcomes", [.. Field(4, s_hit), .. Field(2, Field(1, 14))], [.. s_hit, .. s_hit]),
        Answering("a fixed-width field instead of a message", [0x25, 1, 2, 3, 4], [0x15, 1, 2, 3, 4]),
        Answering("messages nested thousands of levels deep", Nested(4, 5_000), Nested(2, 5_000)),
        Answering("use_unary for every call", Field(3, []), []),
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
