namespace Larder.Server.Near;

/// <summary>
/// Stores for each cache which near streams must be notified when it is flushed or deleted, and the flushes that have not been delivered to the streams.
/// A flush takes the same time for any number of streams. Thread-safe.
/// </summary>
internal sealed class NearReaders
{
    /// <summary>Instead of the ID of a cache: the registration for the next flush of any cache.</summary>
    public const long AnyCache = long.MinValue;

    private readonly Lock _gate = new();
    private readonly Dictionary<long, HashSet<NearStream>> _readers = [];
    private readonly List<(long Cache, HashSet<NearStream> Streams)> _logged = [];
    private volatile bool _hasLogged;
    private bool _isLost;

    /// <summary>Gets whether flushes are in the log.</summary>
    public bool HasLogged => _hasLogged;

    /// <summary>Registers a stream for the next flush of a cache.</summary>
    public void Add(long cache, NearStream stream)
    {
        lock (_gate)
        {
            if (!_readers.TryGetValue(cache, out HashSet<NearStream>? streams))
            {
                _readers[cache] = streams = [];
            }

            streams.Add(stream);
        }
    }

    /// <summary>Removes the registration of a stream for a cache.</summary>
    public void Remove(long cache, NearStream stream)
    {
        lock (_gate)
        {
            if (_readers.TryGetValue(cache, out HashSet<NearStream>? streams) && streams.Remove(stream) && streams.Count == 0)
            {
                _readers.Remove(cache);
            }
        }
    }

    /// <summary>Moves all registrations for a cache, and those for any cache, to the log. Returns false if there are none.</summary>
    public bool Log(long cache)
    {
        lock (_gate)
        {
            try
            {
                _logged.EnsureCapacity(_logged.Count + 2);
            }
            catch (OutOfMemoryException)
            {
                _isLost = true;
                _hasLogged = true;
                return true;
            }

            return Move(cache, cache) | Move(AnyCache, cache);
        }
    }

    /// <summary>Removes all flushes from the log and returns them.</summary>
    /// <param name="loss">Whether a flush could not be logged. In this case, all streams must be cleared.</param>
    public (long Cache, HashSet<NearStream> Streams)[] TakeLogged(out NearLoss loss)
    {
        loss = NearLoss.None;
        if (!_hasLogged)
        {
            return [];
        }

        lock (_gate)
        {
            (long Cache, HashSet<NearStream> Streams)[] taken = [.. _logged];
            loss = _isLost ? NearLoss.All : NearLoss.None;
            _logged.Clear();
            _hasLogged = false;
            _isLost = false;
            return taken;
        }
    }

    // The caller must hold the gate, and the log must have room.
    private bool Move(long registered, long cache)
    {
        if (!_readers.Remove(registered, out HashSet<NearStream>? streams))
        {
            return false;
        }

        _logged.Add((cache, streams));
        _hasLogged = true;
        return true;
    }
}
