namespace Larder.Store.Snapshots;

/// <summary>
/// The numbers by which a snapshot's entries refer to their caches. Each space has one number. A space is the contents of a cache between two flushes. The
/// store may reuse its own space numbers while a snapshot is written, but the numbers of this class are never reused.
/// </summary>
internal sealed class SnapshotSpaces(SpaceTable spaces)
{
    private readonly Dictionary<Space, int> _numbers = new(ReferenceEqualityComparer.Instance);
    private (Space? Space, int Number)[] _byId = [];

    /// <summary>
    /// Returns the number for the space of an entry that was found within the current epoch; 0 if the entry was flushed or its cache was deleted.
    /// </summary>
    public int NumberOf(int spaceId)
    {
        Space space = spaces[spaceId];
        if (space.Dead)
        {
            return 0;
        }

        if (spaceId >= _byId.Length)
        {
            Array.Resize(ref _byId, Math.Max(spaceId + 1, 2 * _byId.Length));
        }

        ref (Space? Space, int Number) known = ref _byId[spaceId];
        if (!ReferenceEquals(known.Space, space))
        {
            known = (space, NumberOf(space));
        }

        return known.Number;
    }

    /// <summary>Returns the cache of an entry that was found within the current epoch.</summary>
    public Cache CacheOf(int spaceId) => spaces[spaceId].Cache;

    /// <summary>Returns the number of a space.</summary>
    public int NumberOf(Space space)
    {
        if (!_numbers.TryGetValue(space, out int number))
        {
            number = _numbers.Count + 1;
            _numbers.Add(space, number);
        }

        return number;
    }
}
