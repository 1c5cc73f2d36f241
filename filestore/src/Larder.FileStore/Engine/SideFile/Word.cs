namespace Larder.FileStore.Engine;

/// <summary>A position in the file as one 64-bit word: the generation in the upper 24 bits, the length in bytes in the lower 40 bits (at most 1 TB).</summary>
internal static class Word
{
    internal const int LengthBits = 40;
    internal const long MaxLength = (1L << LengthBits) - 1;

    /// <summary>The last generation, after which generations continue at 1. The next value, all ones, is reserved for <see cref="None"/>.</summary>
    internal const long MaxGeneration = (1L << 24) - 2;

    /// <summary>A value that equals no position. A reader whose last seen word has this value refreshes the table on every read.</summary>
    internal const long None = -1;

    internal static long Of(long generation, long length) => generation << LengthBits | length;

    internal static long Generation(long word) => (long)((ulong)word >> LengthBits);

    /// <summary>Returns the generation that follows <paramref name="generation"/> after a compaction.</summary>
    internal static long Next(long generation) => generation >= MaxGeneration ? 1 : generation + 1;

    internal static long Length(long word) => word & MaxLength;
}
