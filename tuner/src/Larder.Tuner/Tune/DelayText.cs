using Larder.Harness.Proxies;
using Larder.Report.Runs;

namespace Larder.Tuner.Tune;

/// <summary>Parses network delays as users write them.</summary>
internal static class DelayText
{
    private static readonly TimeSpan s_most = TimeSpan.FromSeconds(10);

    /// <summary>Parses <c>1ms</c>, or <c>30ms+5ms</c> with jitter. Both are between 0 and 10 s.</summary>
    /// <exception cref="FormatException">The text is not a valid delay.</exception>
    public static NetworkDelay Parse(string text)
    {
        string[] pieces = text.Split('+', 2);
        var delay = new NetworkDelay(
            DurationText.Parse(pieces[0], "--delay"),
            pieces.Length == 2 ? DurationText.Parse(pieces[1], "the jitter of --delay") : TimeSpan.Zero);
        return delay.RoundTrip <= s_most && delay.Jitter <= s_most
            ? delay
            : throw new FormatException($"--delay and its jitter must each be at most 10s, but are \"{text}\"");
    }
}
