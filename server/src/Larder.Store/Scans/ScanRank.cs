using System.Runtime.Intrinsics;

namespace Larder.Store;

/// <summary>
/// Defines the order in which a scan returns a shard's keys. The rank of a key is its hash mixed with secret factors of this process. A scan in the order of
/// the plain hashes would reveal the hashes of the keys, which must stay secret (<see cref="KeyHash"/>). Different hashes have different ranks.
/// </summary>
internal static class ScanRank
{
    /// <summary>One more than the highest rank.</summary>
    public const ulong End = 1ul << 32;

    private const int Shift = 16;

    // The fields are static and read-only, so that the JIT compiler treats them as constants. The factors are odd, so that each step is invertible.
    private static readonly uint s_addend = (uint)KeyHash.NewSeed();
    private static readonly uint s_first = (uint)KeyHash.NewSeed() | 1;
    private static readonly uint s_second = (uint)KeyHash.NewSeed() | 1;

    public static uint Of(uint hash)
    {
        uint rank = (hash ^ s_addend) * s_first;
        rank = (rank ^ (rank >> Shift)) * s_second;
        return rank ^ (rank >> Shift);
    }

    /// <summary>Returns the rank of each word of a group. The lower half of a word is the hash.</summary>
    public static Vector512<long> Of(Vector512<ulong> words)
    {
        Vector512<uint> rank = (words.AsUInt32() ^ Vector512.Create(s_addend)) * Vector512.Create(s_first);
        rank = (rank ^ (rank >> Shift)) * Vector512.Create(s_second);
        rank ^= rank >> Shift;
        return rank.AsInt64() & Vector512.Create((long)uint.MaxValue);
    }
}
