using Larder.Client.Calls;
using Microsoft.Extensions.Logging;
using ZiggyCreatures.Caching.Fusion.Locking.Distributed;

namespace Larder.Client;

/// <summary>
/// Implements FusionCache's distributed locker on a Larder server: one process runs the factory of a missing key, the others wait for its value.
/// <see cref="LarderFusionCacheExtensions.WithLarder"/> registers it.
/// <para>
/// A lock is an item that only its owner can renew or release. If the owner's process dies, the lock expires after
/// <see cref="LarderFusionCacheOptions.LockDuration"/>. A waiting process tries again after 5 to 80 ms. A server that evicts or loses a lock allows a second
/// owner, so the locker saves loads but does not guarantee mutual exclusion. If the server is unavailable, the members throw a <see cref="CacheException"/>,
/// which FusionCache logs; it then runs the factory without a lock.
/// </para>
/// </summary>
public sealed class LarderDistributedLocker : IFusionCacheDistributedLocker
{
    private static readonly TimeSpan ShortestWait = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan LongestWait = TimeSpan.FromMilliseconds(80);

    private readonly Cache _cache;
    private readonly string _prefix;
    private readonly TimeSpan _duration;
    private readonly TimeProvider _time;

    /// <summary>Creates a locker.</summary>
    /// <param name="client">The client. It is not disposed with this object; the caller must dispose it.</param>
    /// <param name="options">The settings. If null, the defaults apply.</param>
    /// <param name="time">The clock for waits and renewals. If null, the system's clock.</param>
    /// <exception cref="ArgumentException">A setting is invalid.</exception>
    public LarderDistributedLocker(CacheClient client, LarderFusionCacheOptions? options = null, TimeProvider? time = null)
    {
        ArgumentNullException.ThrowIfNull(client);
        LarderFusionCacheOptions given = options ?? new LarderFusionCacheOptions();
        given.Check();
        _cache = client.Cache(given.CacheName);
        _prefix = given.KeyPrefix;
        _duration = given.LockDuration;
        _time = time ?? TimeProvider.System;
    }

    /// <inheritdoc/>
    public async ValueTask<object?> AcquireLockAsync(
        string cacheName,
        string cacheInstanceId,
        string operationId,
        string key,
        string lockName,
        TimeSpan timeout,
        ILogger? logger,
        CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(lockName);
        if (timeout < TimeSpan.Zero && timeout != Timeout.InfiniteTimeSpan)
        {
            throw new ArgumentOutOfRangeException(nameof(timeout), timeout, "The timeout must be at least 0, or Timeout.InfiniteTimeSpan.");
        }

        HeldLock held = new(_cache, _prefix + lockName, _duration, _time);

        // With a timeout of 0, FusionCache asks for one attempt.
        using CancellationTokenSource limit = new(timeout > TimeSpan.Zero ? timeout : Timeout.InfiniteTimeSpan, _time);
        using CancellationTokenSource either = CancellationTokenSource.CreateLinkedTokenSource(token, limit.Token);
        try
        {
            for (int attempt = 0; !await held.TryTakeAsync(either.Token).ConfigureAwait(false); attempt++)
            {
                if (timeout == TimeSpan.Zero)
                {
                    return null;
                }

                await Task.Delay(WaitAfter(attempt, Random.Shared.NextDouble()), _time, either.Token).ConfigureAwait(false);
            }

            return held;
        }
        catch (OperationCanceledException) when (!token.IsCancellationRequested)
        {
            return null;
        }
    }

    /// <inheritdoc/>
    public object? AcquireLock(
        string cacheName,
        string cacheInstanceId,
        string operationId,
        string key,
        string lockName,
        TimeSpan timeout,
        ILogger? logger,
        CancellationToken token) => BlockingScope.Wait(
            (Locker: this, Name: lockName, Timeout: timeout, Token: token),
            static call => call.Locker.AcquireLockAsync("", "", "", "", call.Name, call.Timeout, null, call.Token).AsTask());

    /// <inheritdoc/>
    public async ValueTask ReleaseLockAsync(
        string cacheName,
        string cacheInstanceId,
        string operationId,
        string key,
        string lockName,
        object? lockObj,
        ILogger? logger,
        CancellationToken token)
    {
        if (lockObj is null)
        {
            return;
        }

        // The token is ignored: a lock that is not released blocks the other processes until it expires.
        HeldLock held = lockObj as HeldLock ?? throw new ArgumentException("The lock object was not created by this locker.", nameof(lockObj));
        if (await held.ReleaseAsync().ConfigureAwait(false) is { } error)
        {
            throw new CacheException(error);
        }
    }

    /// <inheritdoc/>
    public void ReleaseLock(
        string cacheName,
        string cacheInstanceId,
        string operationId,
        string key,
        string lockName,
        object? lockObj,
        ILogger? logger,
        CancellationToken token) => BlockingScope.Wait(
            (Locker: this, Lock: lockObj), static call => call.Locker.ReleaseLockAsync("", "", "", "", "", call.Lock, null, CancellationToken.None).AsTask());

    /// <summary>Computes the wait before the next attempt to take a lock.</summary>
    /// <param name="attempt">The number of the failed attempt, from 0.</param>
    /// <param name="random">A random number from 0 to 1.</param>
    internal static TimeSpan WaitAfter(int attempt, double random) => RetryPolicy.BackOff(ShortestWait, LongestWait, attempt + 1, random);
}
