namespace Larder.Store;

/// <summary>Empty segments of one size whose memory is kept for those opened next; it knows how many nobody needed for a while.</summary>
internal sealed class SegmentPool
{
    private readonly Stack<int> _segments = new();

    public int Count => _segments.Count;

    /// <summary>Segments that were here all the time since <see cref="BeginWatch"/>.</summary>
    public int Unused { get; private set; }

    public void BeginWatch() => Unused = _segments.Count;

    /// <summary>The one just taken was one of <see cref="Unused"/>.</summary>
    public void TakenUnused() => Unused = Math.Max(Unused - 1, 0);

    public void Add(int segment) => _segments.Push(segment);

    public bool TryTake(out int segment)
    {
        bool taken = _segments.TryPop(out segment);
        Unused = Math.Min(Unused, _segments.Count);
        return taken;
    }
}
