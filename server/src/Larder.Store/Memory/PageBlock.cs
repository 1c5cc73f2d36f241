namespace Larder.Store;

/// <summary>A block of <see cref="PageRegions"/>.</summary>
/// <param name="at">Where it begins.</param>
/// <param name="bytes">The bytes that it was allocated with.</param>
internal readonly unsafe struct PageBlock(byte* at, long bytes)
{
    private readonly byte* _at = at;

    /// <summary>Its length.</summary>
    public long Bytes { get; } = bytes;

    /// <summary>Gives it back.</summary>
    public void Free(PageRegions pages) => pages.Free(_at, Bytes);
}
