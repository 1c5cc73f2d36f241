namespace Larder.Agent;

/// <summary>
/// What one client has finished, and whether a read that ends now gives less. Versions of a key count up from 1; 0 is what was there before the first. Pure,
/// and safe from any thread.
/// </summary>
/// <remarks>
/// Two reads that overlap may give either order: a read is compared with what had finished when it began, which is its <see cref="Floor"/>. A miss names no
/// version: it counts as the oldest delete that is none older than the floor, so that what comes after a miss that should have been a hit is found older.
/// </remarks>
/// <param name="keys">Number of keys.</param>
/// <param name="deleteEvery">Each version that this divides is a delete; 0: none is.</param>
internal sealed class NearCheck(int keys, int deleteEvery)
{
    private const int Told = 5;

    private readonly int[] _finished = new int[keys];
    private readonly List<string> _told = [];
    private long _violations;
    private volatile bool _isLost;

    /// <summary>Reads that gave what they must not have given.</summary>
    public long Violations => Interlocked.Read(ref _violations);

    /// <summary>Whether misses say nothing any more: what was there may be gone.</summary>
    public bool IsLost => _isLost;

    /// <summary>The first few of them in words.</summary>
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

    /// <summary>Whether a version is a delete.</summary>
    public bool IsDelete(int version) => deleteEvery > 0 && version % deleteEvery == 0;

    /// <summary>The version below which a read that begins now must not fall.</summary>
    public int Floor(int key) => Volatile.Read(ref _finished[key]);

    /// <summary>From now on misses say nothing: the cache was flushed, or its server began anew.</summary>
    public void Lose() => _isLost = true;

    /// <summary>A read or write of this client has finished with this version.</summary>
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

    /// <summary>A read that began at a floor found this version.</summary>
    public void Found(int key, int floor, int version)
    {
        if (version < floor)
        {
            Violated($"key {key}: a read gave version {version} after {floor} was finished");
        }

        Finished(key, version);
    }

    /// <summary>A read that began at a floor found nothing: the version that this stands for; -1 where a miss says nothing.</summary>
    /// <param name="key">The key.</param>
    /// <param name="floor">Its floor when the read began.</param>
    /// <param name="issued">The last version that was begun to be written, where this process writes the key; else null.</param>
    public int Missed(int key, int floor, int? issued)
    {
        if (_isLost)
        {
            return -1;
        }

        if (floor > 0 && deleteEvery == 0)
        {
            Violated($"key {key}: a read gave nothing after version {floor} was finished");
            return -1;
        }

        int version = floor == 0 ? 0 : (floor + deleteEvery - 1) / deleteEvery * deleteEvery;
        if (version > issued)
        {
            Violated($"key {key}: a read gave nothing after version {floor} was finished, and no delete since");
        }

        Finished(key, version);
        return version;
    }

    /// <summary>Counts what is wrong in another way.</summary>
    public void Violated(string what)
    {
        Interlocked.Increment(ref _violations);
        lock (_told)
        {
            if (_told.Count < Told)
            {
                _told.Add(what);
            }
        }
    }
}
