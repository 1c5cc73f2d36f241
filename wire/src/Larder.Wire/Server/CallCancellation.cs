namespace Larder.Wire;

/// <summary>
/// The cancellation token of a call, created when the handler asks for it. The token is cancelled when the client disconnects or the deadline passes.
/// </summary>
internal sealed class CallCancellation : IDisposable
{
    private readonly CancellationTokenSource? _deadline;
    private readonly CancellationTokenSource? _linked;

    public CallCancellation(TimeSpan? remaining, TimeProvider time, CancellationToken aborted)
    {
        if (remaining is not { } left || left > LongestDelay)
        {
            Token = aborted;
            return;
        }

        _deadline = new CancellationTokenSource(left > TimeSpan.Zero ? left : TimeSpan.Zero, time);
        _linked = CancellationTokenSource.CreateLinkedTokenSource(aborted, _deadline.Token);
        Token = _linked.Token;
    }

    public CancellationToken Token { get; }

    /// <summary>Gets whether the deadline's timer has fired. This may happen slightly before the clock reaches the deadline.</summary>
    public bool HasExpired => _deadline is { IsCancellationRequested: true };

    // Timers count milliseconds in 32 bits, which is about 49 days. A later deadline is treated as no deadline.
    private static TimeSpan LongestDelay => TimeSpan.FromDays(49);

    public void Dispose()
    {
        _linked?.Dispose();
        _deadline?.Dispose();
    }
}
