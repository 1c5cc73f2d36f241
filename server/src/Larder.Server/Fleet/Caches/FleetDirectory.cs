using System.Globalization;
using System.Text;
using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>
/// The fleet's caches, stored under a key of the cluster that all gateways share (FLEET-7). Each gateway sends a heartbeat five times a second. The heartbeat
/// reports that the gateway is alive and which version of the directory it has, and reads a newer version if there is one. A gateway also reads the directory
/// when another gateway announces a change (<see cref="DirectoryFeed"/>). A failover can bring back an older
/// version; the gateway never accepts it, but restores the newer content instead. A change completes when every live gateway has read it, or after one second.
/// Until then, calls to a flushed cache are held.
/// </summary>
/// <param name="store">The cluster.</param>
/// <param name="defaultCache">The cache that always exists.</param>
/// <param name="time">The clock.</param>
internal sealed class FleetDirectory(RedisStore store, string defaultCache, TimeProvider time) : IAsyncDisposable
{
    /// <summary>
    /// The key of the directory. Its hash tag puts it into the same slot as the other two keys, because scripts use several of them. No item's key starts with
    /// this prefix.
    /// </summary>
    internal const string Key = "L:{larder}:caches";
    internal const string GatewaysKey = "L:{larder}:fronts";
    internal const string ChangesKey = "L:{larder}:changes";

    internal static readonly TimeSpan Beat = TimeSpan.FromMilliseconds(200);

    // The maximum age of the last heartbeat of a live gateway. It is several times the heartbeat interval. A gateway whose last heartbeat is older counts as
    // down.
    internal static readonly TimeSpan MaxHeartbeatAge = TimeSpan.FromMilliseconds(1_500);
    internal static readonly TimeSpan LongestWait = TimeSpan.FromSeconds(1);

    // After an announcement, the other gateways read a change within a few milliseconds. Those that miss it read it at their next heartbeat.
    private static readonly TimeSpan FirstWaitStep = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan LongestWaitStep = TimeSpan.FromMilliseconds(20);

    // A name has at most 255 characters, each of up to four bytes in UTF-8.
    private const int MaxNameBytes = 4 * CacheName.MaxCharacters;

    private readonly string _gateway = Guid.NewGuid().ToString("n");

    // Heartbeats must not overlap, because the older of two replies could arrive last.
    private readonly SemaphoreSlim _heartbeatLock = new(1);
    private readonly CancellationTokenSource _end = new();
    private volatile DirectorySnapshot? _snapshot;

    // Completes when all current holds have ended. Assigned only during a heartbeat.
    private Task _holding = Task.CompletedTask;

    /// <summary>
    /// Gets or sets the callback for caches that have been flushed or deleted, or whose tags have been removed. It receives the ID of each such cache, on
    /// the thread that detects the change. Null if no callback is set.
    /// </summary>
    public Action<long>? Lost { get; set; }

    /// <summary>Gets whether the directory has been read at least once.</summary>
    public bool IsKnown => _snapshot is not null;

    /// <summary>Gets the cache names in ordinal order.</summary>
    public IReadOnlyList<string> Names => _snapshot?.Names ?? [];

    /// <summary>Returns the cache with the given name, or null if it does not exist.</summary>
    public RemoteCache? Find(string name) => _snapshot?.Find(name);

    /// <summary>Returns the cache with the given UTF-8 name, or null if it does not exist.</summary>
    public RemoteCache? Find(ReadOnlySpan<byte> utf8Name)
    {
        Span<char> name = stackalloc char[MaxNameBytes];
        return utf8Name.Length <= MaxNameBytes && Encoding.UTF8.TryGetChars(utf8Name, name, out int length) ? _snapshot?.Find(name[..length]) : null;
    }

    /// <summary>Returns whether a cache with the given ID exists. Returns true if the directory has not been read yet.</summary>
    public bool Has(long id) => _snapshot?.Caches.Any(cache => cache.Id == id) ?? true;

    /// <summary>Sends a heartbeat and reads the directory if it has changed.</summary>
    /// <exception cref="FleetQueryException">The cluster does not respond.</exception>
    public async Task SendHeartbeatAsync()
    {
        await _heartbeatLock.WaitAsync().ConfigureAwait(false);
        try
        {
            // If a heartbeat reads a newer version, the next one reports that version immediately. A gateway that waits for this gateway then waits for one
            // heartbeat interval, not two.
            for (int reads = 0; reads < 3 && await ReadAsync().ConfigureAwait(false) is { } read; reads++)
            {
                if (_snapshot is { } known && read.Lacks(known))
                {
                    await RestoreAsync(known).ConfigureAwait(false);
                }
                else
                {
                    Take(read);
                }
            }
        }
        finally
        {
            _heartbeatLock.Release();
        }
    }

    /// <summary>Changes a cache's entry in the directory, and waits until all live gateways have read the change.</summary>
    /// <exception cref="FleetQueryException">The cluster does not respond.</exception>
    public async Task<DirectoryOutcome> ChangeAsync(DirectoryChange change, string name)
    {
        // This heartbeat first restores the changes that a failover may have lost, because this cache may be one of them.
        await SendHeartbeatAsync().ConfigureAwait(false);
        FleetQuery<(long Outcome, string Version)> query = new(ReadOutcome);
        query.BeginScript(FleetScripts.DirectoryChange, 2, 5);
        query.AddKey(default, Encoding.UTF8.GetBytes(Key));
        query.AddKey(default, Encoding.UTF8.GetBytes(ChangesKey));
        query.Add(Encoding.UTF8.GetBytes(change.ToString().ToLowerInvariant()));
        query.Add(Encoding.UTF8.GetBytes(name));
        query.Add(FleetLimits.MaxCaches);
        query.Add(Encoding.UTF8.GetBytes(_gateway));
        query.Add(Encoding.UTF8.GetBytes(_snapshot?.Version ?? "0"));
        (long outcome, string version) = await SendAsync(query).ConfigureAwait(false);
        if (outcome == (long)DirectoryOutcome.Done)
        {
            await WaitUntilKnownAsync(version).ConfigureAwait(false);
        }

        return (DirectoryOutcome)outcome;
    }

    // From here on, calls use the new snapshot.
    private void Take(DirectorySnapshot read)
    {
        if (_snapshot is not { } before)
        {
            _snapshot = read;
            return;
        }

        long[] lost = before.NotIn(read);
        FlushQueue? hold = lost.Length > 0 ? new FlushQueue(store) : null;
        _snapshot = read.After(before, hold);
        if (hold is not null)
        {
            _holding = Task.WhenAll(_holding, EndAsync(hold, read.Version));
        }

        foreach (long cache in lost.Concat(before.WithRemovals(read)))
        {
            Lost?.Invoke(cache);
        }
    }

    private async Task EndAsync(FlushQueue hold, string version)
    {
        try
        {
            await WaitUntilKnownAsync(version).ConfigureAwait(false);
        }
        finally
        {
            hold.End();
        }
    }

    private Task<DirectorySnapshot?> ReadAsync()
    {
        DirectorySnapshot? known = _snapshot;
        FleetQuery<DirectorySnapshot?> beat = new(DirectorySnapshot.Read);
        beat.BeginScript(FleetScripts.DirectoryBeat, 2, 5);
        beat.AddKey(default, Encoding.UTF8.GetBytes(Key));
        beat.AddKey(default, Encoding.UTF8.GetBytes(GatewaysKey));
        beat.Add(Encoding.UTF8.GetBytes(_gateway));
        beat.Add(Encoding.UTF8.GetBytes(known?.Version ?? "0"));
        beat.Add(Encoding.UTF8.GetBytes(defaultCache));
        beat.Add(known is null ? 1 : 0);
        beat.Add(Encoding.UTF8.GetBytes(known?.Writer ?? ""));
        return SendAsync(beat);
    }

    private Task<bool> RestoreAsync(DirectorySnapshot known)
    {
        FleetQuery<bool> restore = new(static (ref RespReader _) => true);
        restore.BeginScript(FleetScripts.DirectoryRestore, 1, 2 + (2 * known.Caches.Count));
        restore.AddKey(default, Encoding.UTF8.GetBytes(Key));
        restore.Add(Encoding.UTF8.GetBytes(_gateway));
        restore.Add(Encoding.UTF8.GetBytes(known.Version));
        foreach (RemoteCache cache in known.Caches)
        {
            restore.Add(Encoding.UTF8.GetBytes(cache.Name));
            string entry = string.Create(CultureInfo.InvariantCulture, $"{cache.Id}.{cache.Generation}.{(int)cache.Use}.{cache.Removals}");
            restore.Add(Encoding.UTF8.GetBytes(entry));
        }

        return SendAsync(restore);
    }

    /// <summary>Returns the deadline of a command that the gateway sends for its own purposes now.</summary>
    public long EndOfQuery() => time.GetTimestamp() + (long)(LongestWait.TotalSeconds * time.TimestampFrequency);

    /// <summary>Ends all holds. The store must not be closed before this method has completed, because it receives the held calls.</summary>
    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync().ConfigureAwait(false);
        await _holding.ConfigureAwait(false);
        _end.Dispose();
        _heartbeatLock.Dispose();
    }

    // The change is already stored, so errors from here on are ignored.
    private async Task WaitUntilKnownAsync(string version)
    {
        long start = time.GetTimestamp();
        TimeSpan step = FirstWaitStep;
        do
        {
            try
            {
                // Sends this gateway's own heartbeat first, so that this gateway is not counted as outdated.
                await SendHeartbeatAsync().ConfigureAwait(false);
                if (await CountOutdatedGatewaysAsync(version).ConfigureAwait(false) == 0)
                {
                    return;
                }
            }
            catch (FleetQueryException)
            {
                // The error is ignored, because the next attempt may succeed. The other gateways read the change when they can reach the cluster again.
            }

            await Task.Delay(step, time, _end.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            step = step * 2 < LongestWaitStep ? step * 2 : LongestWaitStep;
        }
        while (!_end.IsCancellationRequested && time.GetElapsedTime(start) < LongestWait);
    }

    private Task<long> CountOutdatedGatewaysAsync(string version)
    {
        FleetQuery<long> behind = new(static (ref RespReader reply) => reply.Integer);
        behind.BeginScript(FleetScripts.DirectoryBehind, 1, 2);
        behind.AddKey(default, Encoding.UTF8.GetBytes(GatewaysKey));
        behind.Add(Encoding.UTF8.GetBytes(version));
        behind.Add((long)MaxHeartbeatAge.TotalMilliseconds);
        return SendAsync(behind);
    }

    private Task<T> SendAsync<T>(FleetQuery<T> query)
    {
        query.Deadline = EndOfQuery();
        return query.SendAsync(store);
    }

    private static (long Outcome, string Version) ReadOutcome(ref RespReader reply)
    {
        reply.Read();
        long outcome = reply.Integer;
        reply.Read();
        return (outcome, Encoding.UTF8.GetString(reply.Bytes));
    }
}
