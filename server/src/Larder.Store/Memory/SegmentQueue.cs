namespace Larder.Store;

/// <summary>The ends and accounts of a queue of segments.</summary>
internal struct SegmentQueue
{
    public int Youngest;
    public int Oldest;
    public long LiveBytes;
}
