using Larder.Harness.Frames;
using static Larder.Conformance.Hostile.HostileFrame;

namespace Larder.Conformance.Hostile;

/// <summary>
/// Modes of two kinds of servers. One kind sends valid answers in all variants that HTTP/2 permits, with mutations at every level. The other kind sends random
/// frames.
/// </summary>
internal static class MalformedExchange
{
    private const int MaxRandom = 20;

    // The message GetResponse { result = Hit, value = "v" }, and the message GetResponse { result = Miss }.
    private static readonly byte[] s_hit = [.. Field(1, 2), .. Field(2, "v"u8)];
    private static readonly byte[] s_miss = Field(1, 3);

    /// <summary>Sends valid settings when the client connects, and random frames when the message of a call has arrived.</summary>
    public static readonly HostileMode AtRandom = new("random")
    {
        OnData = (peer, stream, _) => SayAsync(
            peer,
            peer.Random.Chance(0.5)
                ? peer.Random.Frames(stream, s_hit)
                : FrameMutations.Write(Enumerable.Range(0, 1 + peer.Random.Below(MaxRandom)).Select(_ => FrameMutations.Any(peer.Random)), 0, peer.Random)),
    };

    /// <summary>Sends answers. Each answer has none to ten mutations.</summary>
    public static readonly HostileMode Grammar = Answering("grammar", draw => draw.One(0, 0, 1, 1, 1, 2, 2, 3, 5, 10));

    /// <summary>Sends answers like those of <see cref="Grammar"/>, but without mutations. Each answer is a hit.</summary>
    public static readonly HostileMode Sound = Answering("sound", _ => 0);

    /// <summary>
    /// Like <see cref="Sound"/>, but without padding. The Python client uses the gRPC core library, which closes a connection whose DATA frames have padding.
    /// </summary>
    public static readonly HostileMode SoundWithoutPadding = Answering("sound", _ => 0, pads: false);

    private static HostileMode Answering(string name, Func<HostileRandom, int> changes, bool pads = true) => new(name)
    {
        OnConnect = peer => peer.SendAsync(FrameMutations.Write(Greeting(peer.Random), peer.Random.Chance(0.8) ? 0 : changes(peer.Random), peer.Random)),
        OnHeaders = (peer, stream) => peer.IsPipeline
            ? peer.SendAsync(FrameMutations.Write(Head(peer.Random, stream, pads), peer.Random.Chance(0.7) ? 0 : changes(peer.Random), peer.Random))
            : Task.CompletedTask,
        OnData = (peer, stream, data) => SayAsync(
            peer,
            FrameMutations.Write(
                peer.IsPipeline
                    ? Results(peer.Random, stream, PipelinedIds.Read(data), name == "sound", pads)
                    : Unary(peer.Random, stream, name == "sound", pads),
                changes(peer.Random),
                peer.Random),
            mayClose: name != "sound"),
    };

    // A mutation may leave the client waiting for more data. Therefore, the server sometimes closes the connection. The next connection then begins sooner.
    private static async Task SayAsync(HostilePeer peer, byte[] bytes, bool mayClose = true)
    {
        await peer.SendAsync(bytes).ConfigureAwait(false);
        if (mayClose && peer.Random.Chance(0.2))
        {
            peer.Close();
        }
    }

    private static IEnumerable<Http2Frame> Greeting(FrameRandom draw)
    {
        yield return Http2Frame.Read(HostileMode.GoodSettings)[0];
        foreach (Http2Frame aside in Asides(draw, 0))
        {
            yield return aside;
        }
    }

    // Returns frames that HTTP/2 permits between answers.
    private static IEnumerable<Http2Frame> Asides(FrameRandom draw, int stream)
    {
        switch (draw.Below(8))
        {
            case 0:
                yield return new(Http2Frame.Ping, 0, 0, draw.Bytes(8));
                break;
            case 1:
                yield return Http2Frame.Of(Http2Frame.WindowUpdate, draw.One(0, stream), (uint)(1 + draw.Below(100_000)));
                break;
            case 2:
                yield return Http2Frame.Read(SettingsOf((4, (uint)draw.One(65_535, 1 << 20))))[0];
                break;
            case 3:
                yield return new(0xB, 0, stream, draw.Bytes(draw.Below(20)));
                break;
        }
    }

    private static List<Http2Frame> Head(FrameRandom draw, int stream, bool pads) => Block(draw, stream, AnswerHead, ends: false, pads);

    private static IEnumerable<Http2Frame> Unary(HostileRandom draw, int stream, bool isSound, bool pads) =>
    [
        .. Head(draw, stream, pads),
        .. Asides(draw, stream),
        .. InFrames(draw, stream, HostileFrame.Message(isSound ? s_hit : Outcome(draw)), pads),
        .. Block(draw, stream, AnswerEnd, ends: true, pads),
    ];

    private static IEnumerable<Http2Frame> Results(HostileRandom draw, int stream, IReadOnlyList<uint> ids, bool isSound, bool pads)
    {
        byte[] results = [.. ids.SelectMany(id => Field(1, [.. Field(1, id), .. isSound ? Field(4, s_hit) : Named(draw)]))];
        return [.. Asides(draw, stream), .. InFrames(draw, stream, HostileFrame.Message(results), pads)];
    }

    // Returns an outcome of a pipelined call: the outcome of a get, the outcome of a set, or an invalid outcome.
    private static byte[] Named(HostileRandom draw) => draw.Below(5) switch
    {
        0 => Field(5, []),
        1 => draw.Message(),
        _ => Field(4, Outcome(draw)),
    };

    private static byte[] Outcome(HostileRandom draw) => draw.Below(5) switch
    {
        0 => s_miss,
        1 => draw.Message(),
        _ => s_hit,
    };

    // Returns a header block in one or several frames, with or without padding.
    private static List<Http2Frame> Block(FrameRandom draw, int stream, byte[] block, bool ends, bool pads)
    {
        int cut = draw.Chance(0.3) ? draw.Below(block.Length + 1) : block.Length;
        byte padding = (byte)(pads && draw.Chance(0.2) ? 1 + draw.Below(20) : 0);
        byte flags = (byte)((ends ? Http2Frame.EndStream : 0) | (padding > 0 ? Http2Frame.Padded : 0) | (cut == block.Length ? Http2Frame.EndHeaders : 0));
        List<Http2Frame> frames = [new(Http2Frame.Headers, flags, stream, Padded(block[..cut], padding))];
        if (cut < block.Length)
        {
            frames.Add(new(Http2Frame.Continuation, Http2Frame.EndHeaders, stream, block[cut..]));
        }

        return frames;
    }

    private static IEnumerable<Http2Frame> InFrames(FrameRandom draw, int stream, byte[] bytes, bool pads)
    {
        for (int at = 0; at < bytes.Length;)
        {
            int next = draw.Chance(0.7) ? bytes.Length : at + 1 + draw.Below(bytes.Length - at);
            byte padding = (byte)(pads && draw.Chance(0.1) ? 1 + draw.Below(20) : 0);
            yield return new(Http2Frame.Data, padding > 0 ? Http2Frame.Padded : (byte)0, stream, Padded(bytes[at..next], padding));
            at = next;
        }
    }

    private static byte[] Padded(byte[] bytes, byte padding) => padding > 0 ? [padding, .. bytes, .. new byte[padding]] : bytes;
}
