namespace Larder.Store;

/// <summary>The newest and the oldest segment of a queue, and the number of bytes of its live entries.</summary>
internal struct SegmentQueue
{
    public int Youngest;
    public int Oldest;
    public long LiveBytes;
}
