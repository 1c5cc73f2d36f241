using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>Says when a peer sends more control frames than any client has reason to.</summary>
internal sealed class FloodGuard(TimeProvider time)
{
    // A client under overload resets at most its 100 streams for each deadline of half a second or more: 200 a second.
    private readonly FrameBudget _resets = new(1_000, 200, time);

    // A client sends its settings once and acknowledges ours; one that measures its bandwidth (grpcio) changes its window now and then.
    private readonly FrameBudget _settings = new(100, 10, time);

    // Those that no answer allows (see AnswerAllowance): pings every 5 s are tolerated, and round-trip measurements of a few a second.
    private readonly FrameBudget _pings = new(100, 20, time);

    // 64 KB of headers, the most that are accepted, are three continuations of a call.
    private readonly FrameBudget _continuations = new(100, 20, time);

    // A body that ends without data is one empty frame that ends its stream, which is not counted.
    private readonly FrameBudget _emptyData = new(1_000, 200, time);

    // A client that widens its windows by every frame it reads is covered by the answers sent (see AnswerAllowance); one that settles accounts later, by this.
    private readonly FrameBudget _windowUpdates = new(10_000, 2_000, time);

    // Fields past those that a call may carry: such calls are refused, and no client goes on making them.
    private readonly FrameBudget _fieldsTooMany = new(10_000, 1_000, time);

    // Clients send two to six settings; sixteen more cost about as much as a frame.
    private const int EntriesOfOneFrame = 16;

    /// <exception cref="Http2ConnectionException">One frame too many.</exception>
    public void CountReset() => Take(_resets, "RST_STREAM");

    /// <summary>Counts a SETTINGS frame of so many entries.</summary>
    /// <inheritdoc cref="CountReset"/>
    public void CountSettings(int entries) => Take(_settings, "SETTINGS", 1 + (entries / EntriesOfOneFrame));

    /// <inheritdoc cref="CountReset"/>
    public void CountWindowUpdate() => Take(_windowUpdates, "WINDOW_UPDATE");

    /// <summary>Counts the fields of a call past those that it may carry.</summary>
    /// <inheritdoc cref="CountReset"/>
    public void CountFieldsTooMany(int fields) => Take(_fieldsTooMany, "header field", fields);

    /// <summary>Counts a ping, a priority, or a frame that nobody knows.</summary>
    /// <inheritdoc cref="CountReset"/>
    public void CountOther() => Take(_pings, "PING or unknown");

    /// <inheritdoc cref="CountReset"/>
    public void CountContinuation() => Take(_continuations, "CONTINUATION");

    /// <inheritdoc cref="CountReset"/>
    public void CountEmptyData() => Take(_emptyData, "empty DATA");

    private void Take(FrameBudget budget, string what, int cost = 1)
    {
        if (!budget.TryTake(time.GetTimestamp(), cost))
        {
            throw Http2ConnectionException.Flood($"too many {what}s");
        }
    }
}
