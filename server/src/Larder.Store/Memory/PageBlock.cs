namespace Larder.Store;

/// <summary>A block of memory that was allocated from <see cref="PageRegions"/>.</summary>
/// <param name="at">The start of the block.</param>
/// <param name="bytes">The size with which it was allocated.</param>
internal readonly unsafe struct PageBlock(byte* at, long bytes)
{
    private readonly byte* _at = at;

    /// <summary>The size in bytes.</summary>
    public long Bytes { get; } = bytes;

    /// <summary>Frees the block.</summary>
    public void Free(PageRegions pages) => pages.Free(_at, Bytes);
}
