using Larder.Report.Runs;

namespace Larder.Tuner.Proxy;

/// <summary>A network between client and server: so long for the way there and back, and up to so much more by chance.</summary>
/// <param name="RoundTrip">Added to each call's way there and back, half each way; 0 to 10 s.</param>
/// <param name="Jitter">Added on top, even between 0 and this, half each way.</param>
internal readonly record struct DelaySetting(TimeSpan RoundTrip, TimeSpan Jitter)
{
    private static readonly TimeSpan s_most = TimeSpan.FromSeconds(10);

    /// <summary>Reads <c>1ms</c>, or <c>30ms+5ms</c> with jitter.</summary>
    /// <exception cref="FormatException">It is neither.</exception>
    public static DelaySetting Parse(string text)
    {
        string[] pieces = text.Split('+', 2);
        var delay = new DelaySetting(
            DurationText.Parse(pieces[0], "--delay"),
            pieces.Length == 2 ? DurationText.Parse(pieces[1], "--delay's jitter") : TimeSpan.Zero);
        return delay.RoundTrip <= s_most && delay.Jitter <= s_most
            ? delay
            : throw new FormatException($"--delay is at most 10s and its jitter too; not \"{text}\"");
    }

    /// <inheritdoc/>
    public override string ToString() => Jitter > TimeSpan.Zero ? $"{DurationText.Of(RoundTrip)}+{DurationText.Of(Jitter)}" : DurationText.Of(RoundTrip);
}
