namespace Larder.Store.Collections;

/// <summary>The memory that a call may need for blocks.</summary>
/// <param name="Bytes">The maximum number of bytes of all blocks, including headers.</param>
/// <param name="Largest">The maximum number of bytes of the largest block, including its header. This much memory may be unusable in each free block.</param>
internal readonly record struct BlockNeed(long Bytes, long Largest)
{
    /// <summary>Returns the need for several blocks of one size. The size includes the header.</summary>
    public static BlockNeed Of(long blocks, long size) => new(blocks * size, size);

    /// <summary>Returns the sum of two needs.</summary>
    public static BlockNeed operator +(BlockNeed left, BlockNeed right) => new(left.Bytes + right.Bytes, Math.Max(left.Largest, right.Largest));

    /// <summary>Returns the remaining need when one of several calls has ended. The largest block is kept, because it may belong to another call.</summary>
    public static BlockNeed operator -(BlockNeed left, BlockNeed right) =>
        left.Bytes == right.Bytes ? default : left with { Bytes = left.Bytes - right.Bytes };
}
