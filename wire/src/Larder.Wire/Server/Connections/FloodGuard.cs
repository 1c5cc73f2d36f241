using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>Says when a peer sends more control frames than any client has reason to.</summary>
internal sealed class FloodGuard(TimeProvider time)
{
    // A client under overload resets at most its 100 streams for each deadline of half a second or more: 200 a second.
    private readonly FrameBudget _resets = new(1_000, 200, time);

    // A client sends its settings once and acknowledges ours; one that measures its bandwidth (grpcio) changes its window now and then.
    private readonly FrameBudget _settings = new(100, 10, time);

    // Pings every 5 s are tolerated, and round-trip measurements of a few a second.
    private readonly FrameBudget _pings = new(100, 20, time);

    // 64 KB of headers, the most that are accepted, are three continuations of a call.
    private readonly FrameBudget _continuations = new(100, 20, time);

    // A body that ends without data is one empty frame that ends its stream, which is not counted.
    private readonly FrameBudget _emptyData = new(1_000, 200, time);

    /// <exception cref="Http2ConnectionException">One frame too many.</exception>
    public void CountReset() => Take(_resets, "RST_STREAM");

    /// <inheritdoc cref="CountReset"/>
    public void CountSettings() => Take(_settings, "SETTINGS");

    /// <summary>Counts a ping, a priority, or a frame that nobody knows.</summary>
    /// <inheritdoc cref="CountReset"/>
    public void CountOther() => Take(_pings, "PING or unknown");

    /// <inheritdoc cref="CountReset"/>
    public void CountContinuation() => Take(_continuations, "CONTINUATION");

    /// <inheritdoc cref="CountReset"/>
    public void CountEmptyData() => Take(_emptyData, "empty DATA");

    private void Take(FrameBudget budget, string what)
    {
        if (!budget.TryTake(time.GetTimestamp()))
        {
            throw Http2ConnectionException.Flood($"too many {what} frames");
        }
    }
}
