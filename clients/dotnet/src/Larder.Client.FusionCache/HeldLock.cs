using System.Security.Cryptography;

namespace Larder.Client;

#pragma warning disable CA1001 // A cancellation source without a timer and without linked tokens needs no disposal.
/// <summary>A lock and its owner's secret value. Renews itself while it is held.</summary>
internal sealed class HeldLock(Cache cache, string name, TimeSpan duration, TimeProvider time)
#pragma warning restore CA1001
{
    /// <summary>The number of renewals, each after a third of the duration. A lock that is never released does not live forever.</summary>
    public const int MaxRenewals = 60;

    private const int OwnerBytes = 16;

    // A released lock gets another value, so that a late renewal does not match it, and the shortest TTL.
    private static readonly byte[] Released = "released"u8.ToArray();
    private static readonly TimeSpan ShortestTtl = TimeSpan.FromMilliseconds(1);

    private readonly byte[] _owner = RandomNumberGenerator.GetBytes(OwnerBytes);
    private readonly CancellationTokenSource _released = new();

    /// <summary>Tries once to take the lock. Returns false if another owner has it.</summary>
    /// <exception cref="CacheException">The call failed.</exception>
    /// <exception cref="OperationCanceledException">The call was cancelled.</exception>
    public async ValueTask<bool> TryTakeAsync(CancellationToken token)
    {
        SetIfResult result = await cache.SetIfAbsentAsync(name, _owner, duration, token).ConfigureAwait(false);
        if (result.IsStored)
        {
            // The renewals must not appear in the traces of the caller.
            using (ExecutionContext.SuppressFlow())
            {
                _ = RenewAsync();
            }

            return true;
        }

        if (result.Error is { } error)
        {
            // The server may have stored the lock. Without the release, other processes would wait until the lock expires.
            _ = ReleaseAsync();
            throw LarderDistributedCache.Failed(error, token);
        }

        return false;
    }

    /// <summary>Releases the lock if this owner still has it. Returns the error of a failed call, or null.</summary>
    public async Task<CacheError?> ReleaseAsync()
    {
        if (_released.IsCancellationRequested)
        {
            return null;
        }

        await _released.CancelAsync().ConfigureAwait(false);
        return (await cache.SetIfEqualAsync(name, Released, _owner, ShortestTtl).ConfigureAwait(false)).Error;
    }

    private async Task RenewAsync()
    {
        for (int renewal = 0; renewal < MaxRenewals; renewal++)
        {
            await Task.Delay(duration / 3, time, _released.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (_released.IsCancellationRequested)
            {
                return;
            }

            // A failed call is ignored, because the next renewal may succeed in time.
            SetIfResult result = await cache.SetIfEqualAsync(name, _owner, _owner, duration, _released.Token).ConfigureAwait(false);
            if (result.IsNotStored)
            {
                return;
            }
        }
    }
}
