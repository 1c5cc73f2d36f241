namespace Larder.Store.Collections;

/// <summary>Memory that a call may need for blocks.</summary>
/// <param name="Bytes">The maximum bytes of all blocks, including headers.</param>
/// <param name="Largest">The maximum bytes of the largest block, including its header. Each place with free memory may leave this much unusable.</param>
internal readonly record struct BlockNeed(long Bytes, long Largest)
{
    /// <summary>The need of several blocks of one size, which includes the header.</summary>
    public static BlockNeed Of(long blocks, long size) => new(blocks * size, size);

    /// <summary>The sum of two needs.</summary>
    public static BlockNeed operator +(BlockNeed left, BlockNeed right) => new(left.Bytes + right.Bytes, Math.Max(left.Largest, right.Largest));

    /// <summary>The remaining need when one of several has ended. The largest block is kept, because it may belong to another.</summary>
    public static BlockNeed operator -(BlockNeed left, BlockNeed right) =>
        left.Bytes == right.Bytes ? default : left with { Bytes = left.Bytes - right.Bytes };
}
