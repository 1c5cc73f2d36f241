namespace Larder.Store;

/// <summary>Empty segments of one size that are kept for reuse. Counts the segments that were not needed for some time.</summary>
internal sealed class SegmentPool
{
    private readonly Stack<int> _segments = new();

    public int Count => _segments.Count;

    /// <summary>The number of segments that have stayed in the pool since <see cref="BeginWatch"/>.</summary>
    public int Unused { get; private set; }

    public void BeginWatch() => Unused = _segments.Count;

    /// <summary>Reports that the segment that was taken last is one of the <see cref="Unused"/> segments.</summary>
    public void OnUnusedTaken() => Unused = Math.Max(Unused - 1, 0);

    public void Add(int segment) => _segments.Push(segment);

    public bool TryTake(out int segment)
    {
        bool taken = _segments.TryPop(out segment);
        Unused = Math.Min(Unused, _segments.Count);
        return taken;
    }
}
