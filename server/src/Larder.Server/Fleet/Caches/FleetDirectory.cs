using System.Globalization;
using System.Text;
using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>
/// The caches of the fleet, by a key of the cluster that every front reads (FLEET-7). A front beats five times a second: it says that it is up and which
/// version it has, and reads a newer one. It never goes back to an older one, which a failover can bring: it writes its own again. A change is answered
/// when every front that is up has it, or after a second; so long the calls of a cache that was flushed are held.
/// </summary>
/// <param name="store">The cluster.</param>
/// <param name="defaultCache">The cache that exists from the start.</param>
/// <param name="time">The clock.</param>
internal sealed class FleetDirectory(RedisStore store, string defaultCache, TimeProvider time) : IAsyncDisposable
{
    /// <summary>Of one slot, by their tag: a script reads both. No item's key begins so.</summary>
    internal const string Key = "L:{larder}:caches";
    internal const string FrontsKey = "L:{larder}:fronts";

    internal static readonly TimeSpan Beat = TimeSpan.FromMilliseconds(200);

    // Some beats: a front that is older is not up.
    internal static readonly TimeSpan OldestBeat = TimeSpan.FromMilliseconds(1_500);
    internal static readonly TimeSpan LongestWait = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan WaitStep = TimeSpan.FromMilliseconds(20);

    // Names are at most 255 characters: four bytes each.
    private const int MaxNameBytes = 4 * CacheName.MaxCharacters;

    private readonly string _front = Guid.NewGuid().ToString("n");

    // One beat after the other: of two under way the older could come last.
    private readonly SemaphoreSlim _beating = new(1);
    private readonly CancellationTokenSource _end = new();
    private volatile DirectorySnapshot? _snapshot;

    // While it beats: the ends of what is held.
    private Task _holding = Task.CompletedTask;

    /// <summary>Told the id of each cache that is known to be flushed or deleted, on whichever thread finds it; null: nobody is.</summary>
    public Action<long>? Lost { get; set; }

    /// <summary>Whether it has been read.</summary>
    public bool IsKnown => _snapshot is not null;

    /// <summary>The names of the caches in ordinal order.</summary>
    public IReadOnlyList<string> Names => _snapshot?.Names ?? [];

    /// <summary>The cache of that name, or null.</summary>
    public RemoteCache? Find(string name) => _snapshot?.Find(name);

    /// <summary>The cache whose name has these UTF-8 bytes, or null.</summary>
    public RemoteCache? Find(ReadOnlySpan<byte> utf8Name)
    {
        Span<char> name = stackalloc char[MaxNameBytes];
        return utf8Name.Length <= MaxNameBytes && Encoding.UTF8.TryGetChars(utf8Name, name, out int length) ? _snapshot?.Find(name[..length]) : null;
    }

    /// <summary>Whether there is a cache of that id, as far as is known.</summary>
    public bool Has(long id) => _snapshot?.Caches.Any(cache => cache.Id == id) ?? true;

    /// <summary>Says that this front is up, and reads the directory where it has changed.</summary>
    /// <exception cref="FleetQueryException">The cluster does not answer.</exception>
    public async Task BeatAsync()
    {
        await _beating.WaitAsync().ConfigureAwait(false);
        try
        {
            // Again after a newer one: that says that it is known here, and who waits for that waits for one beat, not two.
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
            _beating.Release();
        }
    }

    /// <summary>Makes, drops or empties a cache, and waits until the fronts that are up know.</summary>
    /// <exception cref="FleetQueryException">The cluster does not answer.</exception>
    public async Task<DirectoryOutcome> ChangeAsync(DirectoryChange change, string name)
    {
        // First what a failover has lost: it may be this cache.
        await BeatAsync().ConfigureAwait(false);
        FleetQuery<(long Outcome, string Version)> query = new(ReadOutcome);
        query.BeginScript(FleetScripts.DirectoryChange, 1, 5);
        query.AddKey(default, Encoding.UTF8.GetBytes(Key));
        query.Add(Encoding.UTF8.GetBytes(change.ToString().ToLowerInvariant()));
        query.Add(Encoding.UTF8.GetBytes(name));
        query.Add(FleetLimits.MaxCaches);
        query.Add(Encoding.UTF8.GetBytes(_front));
        query.Add(Encoding.UTF8.GetBytes(_snapshot?.Version ?? "0"));
        (long outcome, string version) = await SendAsync(query).ConfigureAwait(false);
        if (outcome == (long)DirectoryOutcome.Done)
        {
            await WaitUntilKnownAsync(version).ConfigureAwait(false);
        }

        return (DirectoryOutcome)outcome;
    }

    // Those that ask from here on are answered by it.
    private void Take(DirectorySnapshot read)
    {
        if (_snapshot is not { } before)
        {
            _snapshot = read;
            return;
        }

        long[] lost = before.LostIn(read);
        FlushHold? hold = lost.Length > 0 ? new FlushHold(store) : null;
        _snapshot = read.After(before, hold);
        if (hold is not null)
        {
            _holding = Task.WhenAll(_holding, EndAsync(hold, read.Version));
            foreach (long cache in lost)
            {
                Lost?.Invoke(cache);
            }
        }
    }

    private async Task EndAsync(FlushHold hold, string version)
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
        beat.AddKey(default, Encoding.UTF8.GetBytes(FrontsKey));
        beat.Add(Encoding.UTF8.GetBytes(_front));
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
        restore.Add(Encoding.UTF8.GetBytes(_front));
        restore.Add(Encoding.UTF8.GetBytes(known.Version));
        foreach (RemoteCache cache in known.Caches)
        {
            restore.Add(Encoding.UTF8.GetBytes(cache.Name));
            restore.Add(Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{cache.Id}.{cache.Generation}")));
        }

        return SendAsync(restore);
    }

    /// <summary>Lets go what is held. The store is closed after it.</summary>
    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync().ConfigureAwait(false);
        await _holding.ConfigureAwait(false);
        _end.Dispose();
        _beating.Dispose();
    }

    // The change is made: what fails from here on is the waiting alone.
    private async Task WaitUntilKnownAsync(string version)
    {
        long start = time.GetTimestamp();
        do
        {
            try
            {
                // Its own first: then it is not counted among those behind.
                await BeatAsync().ConfigureAwait(false);
                if (await CountBehindAsync(version).ConfigureAwait(false) == 0)
                {
                    return;
                }
            }
            catch (FleetQueryException)
            {
                // The others learn of it when the cluster is there again.
            }

            await Task.Delay(WaitStep, time, _end.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
        while (!_end.IsCancellationRequested && time.GetElapsedTime(start) < LongestWait);
    }

    private Task<long> CountBehindAsync(string version)
    {
        FleetQuery<long> behind = new(static (ref RespReader reply) => reply.Integer);
        behind.BeginScript(FleetScripts.DirectoryBehind, 1, 2);
        behind.AddKey(default, Encoding.UTF8.GetBytes(FrontsKey));
        behind.Add(Encoding.UTF8.GetBytes(version));
        behind.Add((long)OldestBeat.TotalMilliseconds);
        return SendAsync(behind);
    }

    private Task<T> SendAsync<T>(FleetQuery<T> query)
    {
        query.Deadline = time.GetTimestamp() + (long)(LongestWait.TotalSeconds * time.TimestampFrequency);
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
