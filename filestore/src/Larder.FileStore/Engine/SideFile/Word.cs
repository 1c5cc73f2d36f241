namespace Larder.FileStore.Engine;

/// <summary>A place in the file as one 64-bit word: generation in the upper 24 bits, length in bytes in the lower 40 (at most 1 TB).</summary>
internal static class Word
{
    internal const int LengthBits = 40;
    internal const long MostLength = (1L << LengthBits) - 1;

    /// <summary>The last generation; after it comes 1. The next one after that, of all ones, is <see cref="None"/>'s.</summary>
    internal const long MostGeneration = (1L << 24) - 2;

    /// <summary>Equal to no place: makes each read look.</summary>
    internal const long None = -1;

    internal static long Of(long generation, long length) => generation << LengthBits | length;

    internal static long Generation(long word) => (long)((ulong)word >> LengthBits);

    /// <summary>The generation that a compaction of <paramref name="generation"/> makes.</summary>
    internal static long Next(long generation) => generation >= MostGeneration ? 1 : generation + 1;

    internal static long Length(long word) => word & MostLength;
}
