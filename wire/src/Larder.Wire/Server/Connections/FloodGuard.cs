using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>Detects peers that send more control frames than any client needs to. Each budget has a burst and a rate per second.</summary>
internal sealed class FloodGuard(TimeProvider time)
{
    // An overloaded client resets at most its 100 streams per deadline of at least half a second: 200 a second.
    private readonly FrameBudget _resets = new(1_000, 200, time);

    // A client sends its settings once and acknowledges the server's. A client that measures its bandwidth (grpcio) changes its window occasionally.
    private readonly FrameBudget _settings = new(100, 10, time);

    // Pings that no response allows (see AnswerAllowance): one every 5 s is tolerated, as are a few round-trip measurements a second.
    private readonly FrameBudget _pings = new(100, 20, time);

    // The maximum of 64 KB of headers takes three continuations per call.
    private readonly FrameBudget _continuations = new(100, 20, time);

    // A body without data ends with one empty frame that ends the stream. That frame is not counted.
    private readonly FrameBudget _emptyData = new(1_000, 200, time);

    // A client that updates its windows for every frame it reads is covered by the responses sent (see AnswerAllowance). A client that updates them
    // later is covered by this budget.
    private readonly FrameBudget _windowUpdates = new(10_000, 2_000, time);

    // Fields above the limit of a call. Such calls fail, so no regular client keeps sending them.
    private readonly FrameBudget _fieldsTooMany = new(10_000, 1_000, time);

    // Clients send two to six settings. Each further sixteen cost about as much as a frame.
    private const int EntriesOfOneFrame = 16;

    /// <exception cref="Http2ConnectionException">The budget is exceeded.</exception>
    public void CountReset() => Take(_resets, "RST_STREAM frames");

    /// <summary>Counts a SETTINGS frame with the given number of entries.</summary>
    /// <inheritdoc cref="CountReset"/>
    public void CountSettings(int entries) => Take(_settings, "SETTINGS frames", 1 + (entries / EntriesOfOneFrame));

    /// <inheritdoc cref="CountReset"/>
    public void CountWindowUpdate() => Take(_windowUpdates, "WINDOW_UPDATE frames");

    /// <summary>Counts the fields of a call above the allowed number.</summary>
    /// <inheritdoc cref="CountReset"/>
    public void CountFieldsTooMany(int fields) => Take(_fieldsTooMany, "header fields", fields);

    /// <summary>Counts a ping, a priority, or a frame of unknown type.</summary>
    /// <inheritdoc cref="CountReset"/>
    public void CountOther() => Take(_pings, "PING, PRIORITY or unknown frames");

    /// <inheritdoc cref="CountReset"/>
    public void CountContinuation() => Take(_continuations, "CONTINUATION frames");

    /// <inheritdoc cref="CountReset"/>
    public void CountEmptyData() => Take(_emptyData, "empty DATA frames");

    private void Take(FrameBudget budget, string what, int cost = 1)
    {
        if (!budget.TryTake(time.GetTimestamp(), cost))
        {
            throw Http2ConnectionException.Flood($"too many {what}");
        }
    }
}
