namespace Larder.Agent;

/// <summary>
/// Tracks the versions that one client has observed, and detects a read that returns an older version. The first write of a key has version 1, and each further
/// write has the next version. Version 0 is the state before the first write. Does no I/O, and is safe for concurrent use.
/// </summary>
/// <remarks>
/// Two overlapping reads may return versions in either order. A read is therefore compared only with the reads and writes that had finished when it began. The
/// highest version of these is the read's <see cref="Floor"/>. A miss contains no version. It is treated as a read that returned the oldest delete that is not
/// older than the floor. A later read that returns a version older than that delete is therefore a violation.
/// </remarks>
/// <param name="keys">The number of keys.</param>
/// <param name="deleteEvery">Each version divisible by this number is a delete. If it is 0, there are no deletes.</param>
internal sealed class NearCheck(int keys, int deleteEvery)
{
    private const int MaxReported = 5;

    private readonly int[] _finished = new int[keys];
    private readonly List<string> _told = [];
    private long _violations;
    private volatile bool _isLost;

    /// <summary>Gets the number of violations, for example reads that returned an older version than an earlier read.</summary>
    public long Violations => Interlocked.Read(ref _violations);

    /// <summary>Gets whether data may have been lost, so that misses are no longer checked.</summary>
    public bool IsLost => _isLost;

    /// <summary>Gets descriptions of the first violations.</summary>
    public IReadOnlyList<string> FirstTold
    {
        get
        {
            lock (_told)
            {
                return [.. _told];
            }
        }
    }

    /// <summary>Returns whether a version is a delete.</summary>
    public bool IsDelete(int version) => deleteEvery > 0 && version % deleteEvery == 0;

    /// <summary>Returns the floor for a read that begins now. The read may return this version or a higher version.</summary>
    public int Floor(int key) => Volatile.Read(ref _finished[key]);

    /// <summary>Stops checking misses. Must be called before the cache is flushed or its server is restarted.</summary>
    public void Lose() => _isLost = true;

    /// <summary>Records that a read or a write of this client has finished with the given version.</summary>
    public void Finished(int key, int version)
    {
        for (int seen = Floor(key); seen < version;)
        {
            int before = Interlocked.CompareExchange(ref _finished[key], version, seen);
            if (before == seen)
            {
                return;
            }

            seen = before;
        }
    }

    /// <summary>Records that a read with the given floor returned the given version.</summary>
    public void Found(int key, int floor, int version)
    {
        if (version < floor)
        {
            Violated($"key {key}: a read returned version {version} after version {floor} was stored");
        }

        Finished(key, version);
    }

    /// <summary>Records that a read found nothing. Returns the version of the delete that explains the miss, or -1 if the miss cannot be checked.</summary>
    /// <param name="key">The key.</param>
    /// <param name="floor">The key's floor when the read began.</param>
    /// <param name="issued">The last version that this process began to write, or null if another process writes the key.</param>
    public int Missed(int key, int floor, int? issued)
    {
        if (_isLost)
        {
            return -1;
        }

        if (floor > 0 && deleteEvery == 0)
        {
            Violated($"key {key}: a read returned a miss after version {floor} was stored");
            return -1;
        }

        int version = floor == 0 ? 0 : (floor + deleteEvery - 1) / deleteEvery * deleteEvery;
        if (version > issued)
        {
            Violated($"key {key}: a read returned a miss after version {floor} was stored, although no delete followed");
        }

        Finished(key, version);
        return version;
    }

    /// <summary>Counts a violation, and stores its description if it is one of the first violations.</summary>
    public void Violated(string what)
    {
        Interlocked.Increment(ref _violations);
        lock (_told)
        {
            if (_told.Count < MaxReported)
            {
                _told.Add(what);
            }
        }
    }
}
