namespace Larder.Store.Collections;

/// <summary>Memory that blocks may need.</summary>
/// <param name="Bytes">Bytes of all of them at most, with their headers.</param>
/// <param name="Largest">Bytes of the largest at most, with its header: what is set aside in several places may lose so much in each.</param>
internal readonly record struct BlockNeed(long Bytes, long Largest)
{
    /// <summary>So many blocks of one size, its header included.</summary>
    public static BlockNeed Of(long blocks, long size) => new(blocks * size, size);

    /// <summary>Both.</summary>
    public static BlockNeed operator +(BlockNeed left, BlockNeed right) => new(left.Bytes + right.Bytes, Math.Max(left.Largest, right.Largest));

    /// <summary>What is left when one of several is gone; the largest may have been its.</summary>
    public static BlockNeed operator -(BlockNeed left, BlockNeed right) =>
        left.Bytes == right.Bytes ? default : left with { Bytes = left.Bytes - right.Bytes };
}
