namespace Larder.Wire;

/// <summary>The ids of the last 256 streams of some kind; those forgotten count as of the kind, and so do all before them.</summary>
internal sealed class RecentStreams
{
    private const int MaxIds = 256;

    // Made when first needed: most connections never do.
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

    /// <summary>True where the stream is remembered.</summary>
    public bool Contains(int id) => _ids is not null && _ids.AsSpan().Contains(id);

    /// <summary>True where the stream may have been forgotten.</summary>
    public bool MayHaveForgotten(int id) => id <= _lastForgotten;
}
