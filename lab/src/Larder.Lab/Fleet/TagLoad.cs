using System.Diagnostics;
using System.Globalization;
using Larder.Client;

namespace Larder.Lab.Fleet;

/// <summary>
/// Callers that load numbered values with a tag, read them and remove the tag again. After a tag has been removed, a read must not return a value that was
/// stored before the removal, unless a failover has lost the removal (FLEET-19).
/// </summary>
/// <param name="cache">The cache.</param>
/// <param name="keys">The keys, one for each caller. Each has its own tag.</param>
internal sealed class TagLoad(Cache cache, IReadOnlyList<string> keys)
{
    // A master acknowledges a removal before its replica has it, so a removal shortly before the end of the master may be lost.
    private static readonly TimeSpan s_unreplicated = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_ttl = TimeSpan.FromMinutes(10);

    private readonly Lock _lock = new();
    private readonly List<long> _kills = [];
    private Task _running = Task.CompletedTask;
    private volatile bool _isStopped;

    /// <summary>Gets the number of values that were returned.</summary>
    public long Reads { get; private set; }

    /// <summary>Gets the number of acknowledged removals of a tag.</summary>
    public long Removals { get; private set; }

    /// <summary>Gets the number of calls that failed.</summary>
    public long Failed { get; private set; }

    /// <summary>Gets the number of values that were returned although their tag had been removed, and although no failover can have lost the removal.</summary>
    public long Revived { get; private set; }

    /// <summary>Gets the number of values that were returned although their tag had been removed, because a failover lost the removal.</summary>
    public long Lost { get; private set; }

    /// <summary>Starts the callers.</summary>
    public void Start() => _running = Task.WhenAll(keys.Select(key => Task.Run(() => CallAsync(key))));

    /// <summary>Records that a master is killed now.</summary>
    public void OnKill()
    {
        lock (_lock)
        {
            _kills.Add(Stopwatch.GetTimestamp());
        }
    }

    /// <summary>Stops the callers.</summary>
    public Task StopAsync()
    {
        _isStopped = true;
        return _running;
    }

    private async Task CallAsync(string key)
    {
        GetOrCreateOptions options = new() { Ttl = s_ttl, Lease = TimeSpan.FromSeconds(2), Tags = [key] };
        long valid = 0;
        long removedAt = 0;
        for (long number = 1; !_isStopped; number++)
        {
            byte[] next = Number(number);
            GetOrCreateResult<CacheValue> loaded = await cache.GetOrCreateAsync(key, _ => ValueTask.FromResult(next), options).ConfigureAwait(false);
            Judge(loaded.Value.Text, valid, removedAt);
            LookupResult<CacheValue> found = await cache.GetAsync(key).ConfigureAwait(false);
            if (found.IsHit)
            {
                Judge(found.Value.Text, valid, removedAt);
            }

            Count(found.Error is null);
            if (number % 2 == 0)
            {
                CacheResult removed = await cache.RemoveByTagAsync([key]).ConfigureAwait(false);
                Count(removed.IsSuccess);
                if (removed.IsSuccess)
                {
                    (valid, removedAt) = (number + 1, Stopwatch.GetTimestamp());
                    OnRemoved();
                }
            }

            await Task.Delay(s_pause).ConfigureAwait(false);
        }
    }

    private void Judge(string text, long valid, long removedAt)
    {
        lock (_lock)
        {
            Reads++;
            if (long.Parse(text, CultureInfo.InvariantCulture) >= valid)
            {
                return;
            }

            bool mayBeLost = _kills.Any(kill => removedAt <= kill && Stopwatch.GetElapsedTime(removedAt, kill) < s_unreplicated);
            Lost += mayBeLost ? 1 : 0;
            Revived += mayBeLost ? 0 : 1;
        }
    }

    private void OnRemoved()
    {
        lock (_lock)
        {
            Removals++;
        }
    }

    private void Count(bool isSuccess)
    {
        lock (_lock)
        {
            Failed += isSuccess ? 0 : 1;
        }
    }

    private static byte[] Number(long number) => System.Text.Encoding.ASCII.GetBytes(number.ToString(CultureInfo.InvariantCulture));
}
