namespace Larder.Store;

/// <summary>The first and last segment of a queue, and the queue's accounts.</summary>
internal struct SegmentQueue
{
    public int Youngest;
    public int Oldest;
    public long LiveBytes;
}
