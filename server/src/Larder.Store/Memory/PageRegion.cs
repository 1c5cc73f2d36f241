namespace Larder.Store;

/// <summary>A memory mapping that is divided into blocks of one size. Tracks which blocks are free.</summary>
internal sealed unsafe class PageRegion(byte* start, long bytes, long blockBytes)
{
    private readonly Stack<int> _free = new();
    private readonly int _blocks = (int)(bytes / blockBytes);
    private int _fresh;

    public byte* Start { get; } = start;

    public long Bytes { get; } = bytes;

    public long BlockBytes { get; } = blockBytes;

    /// <summary>The number of blocks in use.</summary>
    public int Used { get; private set; }

    public bool IsFull => Used == _blocks;

    public byte* Take()
    {
        Used++;
        int block = _free.TryPop(out int free) ? free : _fresh++;
        return Start + (block * BlockBytes);
    }

    public void GiveBack(byte* block)
    {
        Used--;
        _free.Push((int)((block - Start) / BlockBytes));
    }
}
