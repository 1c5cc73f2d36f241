using Larder.Harness.Frames;

namespace Larder.Lab.Peers.Frames;

/// <summary>All that an attacker says on one connection.</summary>
internal static class FrameScript
{
    /// <summary>What a connection begins with, before its frames.</summary>
    public const int PrefaceBytes = 24;

    private const int MostRandom = 40;

    /// <summary>
    /// The bytes of a kind: <c>random</c> frames after a good opening; <c>grammar</c>, a client's good conversation with some changes, now and then with none;
    /// <c>sound</c>, the same without any.
    /// </summary>
    /// <exception cref="ArgumentException">There is no such kind.</exception>
    public static byte[] Of(string kind, FrameDraw draw) =>
    [
        .. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8,
        .. kind switch
        {
            "random" => Random(draw),
            "grammar" => FrameMutations.Write(CallTalk.Of(draw).Frames, draw.One(0, 1, 1, 1, 2, 2, 3, 5, 10), draw),
            "sound" => FrameMutations.Write(CallTalk.Of(draw).Frames, 0, draw),
            _ => throw new ArgumentException($"there are no frames of kind {kind}: known are random, grammar, sound"),
        },
    ];

    private static byte[] Random(FrameDraw draw)
    {
        IEnumerable<Http2Frame> frames = Enumerable.Range(0, 1 + draw.Below(MostRandom)).Select(_ => FrameMutations.Any(draw));
        return FrameMutations.Write(frames.Prepend(new Http2Frame(Http2Frame.Settings, 0, 0, [])), 0, draw);
    }
}
