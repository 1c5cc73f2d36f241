using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>Detects peers that send more control frames than any client needs. Each budget has a burst and a rate per second.</summary>
internal sealed class FloodGuard(TimeProvider time)
{
    // When the deadline of its calls passes, an overloaded client resets at most all of its 100 streams. A deadline is at least half a second, so the client
    // resets at most 200 streams a second.
    private readonly FrameBudget _resets = new(1_000, 200, time);

    // A client sends its settings once and acknowledges the settings of the server. A client that measures its bandwidth (grpcio) changes its window
    // occasionally.
    private readonly FrameBudget _settings = new(100, 10, time);

    // Pings that no response allows (see AnswerAllowance). One ping every 5 s and a few round-trip measurements a second are tolerated.
    private readonly FrameBudget _pings = new(100, 20, time);

    // Headers of the maximum size of 64 KB need three CONTINUATION frames per call.
    private readonly FrameBudget _continuations = new(100, 20, time);

    // Empty DATA frames. A body without data ends with one empty frame that ends the stream. That frame is not counted.
    private readonly FrameBudget _emptyData = new(1_000, 200, time);

    // Window updates. If a client updates its windows for every frame that it reads, the responses allow these updates (see AnswerAllowance). This budget
    // covers clients that update their windows later.
    private readonly FrameBudget _windowUpdates = new(10_000, 2_000, time);

    // Header fields above the maximum number of a call. Calls with such fields fail, so no regular client keeps sending them.
    private readonly FrameBudget _fieldsTooMany = new(10_000, 1_000, time);

    // Clients send two to six settings. Sixteen further settings cost about as much as one frame.
    private const int EntriesOfOneFrame = 16;

    /// <summary>Counts a RST_STREAM frame.</summary>
    /// <exception cref="Http2ConnectionException">The budget is exceeded.</exception>
    public void CountReset() => Take(_resets, "RST_STREAM frames");

    /// <summary>Counts a SETTINGS frame with the given number of entries.</summary>
    /// <inheritdoc cref="CountReset"/>
    public void CountSettings(int entries) => Take(_settings, "SETTINGS frames", 1 + (entries / EntriesOfOneFrame));

    /// <summary>Counts a WINDOW_UPDATE frame.</summary>
    /// <inheritdoc cref="CountReset"/>
    public void CountWindowUpdate() => Take(_windowUpdates, "WINDOW_UPDATE frames");

    /// <summary>Counts the fields of a call that exceed the allowed number.</summary>
    /// <inheritdoc cref="CountReset"/>
    public void CountFieldsTooMany(int fields) => Take(_fieldsTooMany, "header fields", fields);

    /// <summary>Counts a ping, a priority, or a frame of unknown type.</summary>
    /// <inheritdoc cref="CountReset"/>
    public void CountOther() => Take(_pings, "PING, PRIORITY or unknown frames");

    /// <summary>Counts a CONTINUATION frame.</summary>
    /// <inheritdoc cref="CountReset"/>
    public void CountContinuation() => Take(_continuations, "CONTINUATION frames");

    /// <summary>Counts an empty DATA frame.</summary>
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
