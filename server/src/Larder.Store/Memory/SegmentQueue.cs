namespace Larder.Store;

/// <summary>One queue's ends and accounts.</summary>
internal struct SegmentQueue
{
    public int Youngest;
    public int Oldest;
    public long LiveBytes;
}
