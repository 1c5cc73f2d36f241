using System.Runtime.Intrinsics;

namespace Larder.Store;

/// <summary>
/// The order in which a scan shows a shard's keys: their hash, mixed with secret factors of this process. An order by the hash itself would tell whoever
/// scans the hashes of the keys, which no stranger may know (<see cref="KeyHash"/>). No two hashes have the same rank.
/// </summary>
internal static class ScanRank
{
    /// <summary>One past the last rank.</summary>
    public const ulong End = 1ul << 32;

    private const int Shift = 16;

    // Read-only and static: the compiler makes constants of them. Odd factors, so that each step can be undone.
    private static readonly uint s_addend = (uint)KeyHash.NewSeed();
    private static readonly uint s_first = (uint)KeyHash.NewSeed() | 1;
    private static readonly uint s_second = (uint)KeyHash.NewSeed() | 1;

    public static uint Of(uint hash)
    {
        uint rank = (hash ^ s_addend) * s_first;
        rank = (rank ^ (rank >> Shift)) * s_second;
        return rank ^ (rank >> Shift);
    }

    /// <summary>The ranks of the hashes in the lower halves of a group's words.</summary>
    public static Vector512<long> Of(Vector512<ulong> words)
    {
        Vector512<uint> rank = (words.AsUInt32() ^ Vector512.Create(s_addend)) * Vector512.Create(s_first);
        rank = (rank ^ (rank >> Shift)) * Vector512.Create(s_second);
        rank ^= rank >> Shift;
        return rank.AsInt64() & Vector512.Create((long)uint.MaxValue);
    }
}
