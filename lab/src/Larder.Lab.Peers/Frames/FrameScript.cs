using Larder.Harness.Frames;

namespace Larder.Lab.Peers.Frames;

/// <summary>Everything that an attacker sends on one connection.</summary>
internal static class FrameScript
{
    /// <summary>The size of the connection preface, in bytes.</summary>
    public const int PrefaceBytes = 24;

    private const int MaxRandom = 40;

    /// <summary>
    /// Returns a valid preface, followed by frames of the given kind. <c>random</c> means random frames. <c>grammar</c> means a client's valid frames to which
    /// 0 to 10 random mutations are applied. <c>sound</c> means a client's valid frames without mutations.
    /// </summary>
    /// <exception cref="ArgumentException">The kind is unknown.</exception>
    public static byte[] Of(string kind, FrameRandom draw) =>
    [
        .. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8,
        .. kind switch
        {
            "random" => Random(draw),
            "grammar" => FrameMutations.Write(RandomCallFrames.Of(draw).Frames, draw.One(0, 1, 1, 1, 2, 2, 3, 5, 10), draw),
            "sound" => FrameMutations.Write(RandomCallFrames.Of(draw).Frames, 0, draw),
            _ => throw new ArgumentException($"unknown kind of frames {kind}; use random, grammar or sound"),
        },
    ];

    private static byte[] Random(FrameRandom draw)
    {
        IEnumerable<Http2Frame> frames = Enumerable.Range(0, 1 + draw.Below(MaxRandom)).Select(_ => FrameMutations.Any(draw));
        return FrameMutations.Write(frames.Prepend(new Http2Frame(Http2Frame.Settings, 0, 0, [])), 0, draw);
    }
}
