namespace Larder.Store;

/// <summary>A block of <see cref="PageRegions"/>.</summary>
/// <param name="at">The start of the block.</param>
/// <param name="bytes">The size with which it was allocated.</param>
internal readonly unsafe struct PageBlock(byte* at, long bytes)
{
    private readonly byte* _at = at;

    /// <summary>Size in bytes.</summary>
    public long Bytes { get; } = bytes;

    /// <summary>Frees the block.</summary>
    public void Free(PageRegions pages) => pages.Free(_at, Bytes);
}
