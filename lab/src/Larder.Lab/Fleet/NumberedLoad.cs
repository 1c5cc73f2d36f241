using System.Collections.Concurrent;
using System.Diagnostics;
using Larder.Client;

namespace Larder.Lab.Fleet;

/// <summary>
/// A load of concurrent callers. Until the load is stopped, each caller writes numbered values to its own key and reads them back. The load checks every
/// response and measures the gaps between successful calls.
/// </summary>
/// <param name="client">The client that all callers share.</param>
/// <param name="keys">The keys, one for each caller.</param>
internal sealed class NumberedLoad(CacheClient client, IEnumerable<string> keys)
{
    public const string CacheName = "cache";

    // The pause of a caller after each write. It leaves CPU time for the programs that apply faults to the fleet.
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan s_ttl = TimeSpan.FromHours(1);

    private readonly Cache _cache = client.Cache(CacheName);
    private readonly NumberedKey[] _keys = [.. keys.Select(key => new NumberedKey(key))];
    private readonly ConcurrentDictionary<string, long> _errors = new();
    private readonly Lock _lock = new();
    private readonly Dictionary<ReadVerdict, long> _verdicts = [];
    private Task _running = Task.CompletedTask;
    private volatile bool _isStopped;
    private long _answered;
    private long _lastSuccess;
    private long _gapFrom;
    private long _gapTo;

    /// <summary>Starts the load and waits until each key has been written at least once.</summary>
    public async Task StartAsync()
    {
        _lastSuccess = Stopwatch.GetTimestamp();
        _running = Task.WhenAll(_keys.Select(key => Task.Run(() => CallAsync(key))));
        await Wait.UntilAsync(() => Task.FromResult(Answered > 4 * _keys.Length), "the first responses of the load").ConfigureAwait(false);
    }

    /// <summary>Gets the number of successful calls so far.</summary>
    public long Answered => Interlocked.Read(ref _answered);

    /// <summary>Waits for 20 further successful calls per caller, so that every caller has very likely made some of them.</summary>
    public Task UntilAnsweredAsync()
    {
        long enough = Answered + (20 * _keys.Length);
        return Wait.UntilAsync(() => Task.FromResult(Answered > enough), "further responses of the load");
    }

    /// <summary>Stops the load, waits for calls in progress, and reads each key one last time.</summary>
    /// <param name="faultAt">The timestamp of the fault. Gaps that ended earlier do not count as recovery.</param>
    public async Task<LoadCounts> StopAsync(long faultAt)
    {
        _isStopped = true;
        await _running.ConfigureAwait(false);
        foreach (NumberedKey key in _keys)
        {
            await ReadAsync(key).ConfigureAwait(false);
        }

        return Counts(faultAt);
    }

    /// <summary>Returns the counts so far. Only gaps since the previous call of this method are included.</summary>
    /// <param name="faultAt">The timestamp of the fault. Gaps that ended earlier do not count as recovery.</param>
    public LoadCounts Counts(long faultAt)
    {
        lock (_lock)
        {
            LoadCounts counts = new()
            {
                Answered = Answered,
                Errors = new SortedDictionary<string, long>(_errors),
                Lost = _verdicts.GetValueOrDefault(ReadVerdict.Lost),
                Stale = _verdicts.GetValueOrDefault(ReadVerdict.Stale),
                Crossed = _verdicts.GetValueOrDefault(ReadVerdict.Crossed),
                LongestGap = Stopwatch.GetElapsedTime(_gapFrom, _gapTo),
                WorkedAgainAfter = _gapTo > faultAt ? Stopwatch.GetElapsedTime(faultAt, _gapTo) : TimeSpan.Zero,
            };
            _gapFrom = _gapTo = 0;
            return counts;
        }
    }

    private async Task CallAsync(NumberedKey key)
    {
        while (!_isStopped)
        {
            CacheResult set = await _cache.SetAsync(key.Key, key.Next(), s_ttl).ConfigureAwait(false);
            if (set is { Error: { } error })
            {
                key.OnFailed();
                Failed("set", error);
            }
            else
            {
                key.OnStored();
                Succeeded();
            }

            // Most callers are waiting here when a fault occurs. They therefore read the acknowledged value next, instead of overwriting it.
            await Task.Delay(s_pause).ConfigureAwait(false);
            await ReadAsync(key).ConfigureAwait(false);
        }
    }

    private async Task ReadAsync(NumberedKey key)
    {
        switch (await _cache.GetAsync(key.Key).ConfigureAwait(false))
        {
            case { Error: { } error }:
                Failed("get", error);
                return;
            case { IsHit: true } hit:
                Judge(key.OnRead(hit.Value.Text));
                break;
            default:
                Judge(key.OnRead(null));
                break;
        }

        Succeeded();
    }

    private void Judge(ReadVerdict verdict)
    {
        lock (_lock)
        {
            _verdicts[verdict] = _verdicts.GetValueOrDefault(verdict) + 1;
        }
    }

    private void Succeeded()
    {
        Interlocked.Increment(ref _answered);
        lock (_lock)
        {
            long now = Stopwatch.GetTimestamp();
            if (now - _lastSuccess > _gapTo - _gapFrom)
            {
                (_gapFrom, _gapTo) = (_lastSuccess, now);
            }

            _lastSuccess = now;
        }
    }

    private void Failed(string call, CacheError error) => _errors.AddOrUpdate($"{call} {error.Code}", 1, static (_, count) => count + 1);
}
