using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Store;
using Larder.Store.Leases;
using Larder.Wire;

namespace Larder.Server.Leases;

/// <summary>One GetOrLease: looks, takes the lease where nobody has it, and otherwise waits for who does.</summary>
internal sealed class LeaseWait(Cache cache, GetOrLeaseFields request, RpcContext context)
{
    private readonly ReadOnlyMemory<byte> _key = request.Key;

    /// <exception cref="OperationCanceledException">The call was cancelled, or its deadline is over.</exception>
    public async ValueTask<(GetOrLeaseResponse? Response, CallError? Error)> RunAsync()
    {
        TimeProvider time = context.TimeProvider;
        long startedAt = time.GetTimestamp();
        TimeSpan wait = TimeSpan.FromMilliseconds(request.WaitMs);
        while (true)
        {
            (GetOrLeaseResponse? there, CallError? error) = Look(isFirst: true);
            if (there is not null || error is not null)
            {
                return (there, error);
            }

            if (cache.TakeLease(_key.Span, request.LeaseMs, out bool isNew) is not { } lease)
            {
                return (null, LeaseErrors.TooMany);
            }

            if (Answer(lease, isNew) is { } answer)
            {
                return (answer, null);
            }

            TimeSpan left = wait - time.GetElapsedTime(startedAt);
            if (left <= TimeSpan.Zero)
            {
                return (new GetOrLeaseResponse { Elsewhere = new() }, null);
            }

            await WaitAsync(lease, left, time).ConfigureAwait(false);
        }
    }

    // Null: somebody else makes the value, and nothing stale is there to be served meanwhile.
    private GetOrLeaseResponse? Answer(Lease lease, bool isNew)
    {
        ByteString token = isNew ? ByteString.CopyFrom(lease.Token.Span) : ByteString.Empty;
        if (isNew && Look(isFirst: false).Response is { } stored)
        {
            // It was stored between the look and the lease.
            cache.GiveLeaseBack(_key.Span, lease.Token.Span);
            return stored;
        }

        ValueSink stale = default;
        if (cache.TryGetStale(_key.Span, ref stale, out long expiredMs))
        {
            return new GetOrLeaseResponse { Stale = new() { Value = stale.Value, ExpiredMs = (ulong)expiredMs, Token = token } };
        }

        return isNew ? new GetOrLeaseResponse { Lease = new() { Token = token } } : null;
    }

    private (GetOrLeaseResponse? Response, CallError? Error) Look(bool isFirst)
    {
        ValueSink hit = default;

        // The second look is of the same call, and counts as nothing more: it counts only where it finds what the first did not.
        GetOutcome outcome = isFirst || cache.Contains(_key.Span) ? cache.Get(_key.Span, ref hit) : GetOutcome.Miss;
        return outcome switch
        {
            GetOutcome.Hit => (new GetOrLeaseResponse { Hit = new() { Value = hit.Value } }, null),
            GetOutcome.WrongType => (null, CallError.WrongType),
            _ => (null, null),
        };
    }

    private async ValueTask WaitAsync(Lease lease, TimeSpan left, TimeProvider time)
    {
        // One millisecond more: the store's clock is floored.
        TimeSpan untilItEnds = TimeSpan.FromMilliseconds(cache.LeftOf(lease) + 1);
        TimeSpan longest = left < untilItEnds ? left : untilItEnds;
        try
        {
            await lease.Ended.WaitAsync(longest, time, context.Cancelled).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // The lease's time is over, or the wait's.
        }
    }

    private struct ValueSink : IValueSink
    {
        public ByteString Value { get; private set; }

        public void Accept(ReadOnlySpan<byte> value) => Value = ByteString.CopyFrom(value);
    }
}
