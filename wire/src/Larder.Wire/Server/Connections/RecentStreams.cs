namespace Larder.Wire;

/// <summary>
/// The ids of the last 256 streams of one kind. Older ids are forgotten. Each id up to the largest forgotten id may also belong to that kind.
/// </summary>
internal sealed class RecentStreams
{
    private const int MaxIds = 256;

    // The array is allocated when it is first needed. Most connections never need it.
    private int[]? _ids;
    private int _count;
    private int _lastForgotten;

    public void Add(int id)
    {
        _ids ??= new int[MaxIds];
        ref int place = ref _ids[_count++ % MaxIds];
        _lastForgotten = Math.Max(_lastForgotten, place);
        place = id;
    }

    /// <summary>Returns true if the stream is remembered.</summary>
    public bool Contains(int id) => _ids is not null && _ids.AsSpan().Contains(id);

    /// <summary>Returns true if the stream may have been forgotten.</summary>
    public bool MayHaveForgotten(int id) => id <= _lastForgotten;
}
