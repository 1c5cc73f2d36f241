using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Larder.Store;

/// <summary>
/// The 64-bit hash of a key, by 64 × 64-bit multiplication with secret addends, so that a stranger cannot choose keys that collide: 192 bits
/// are drawn at random once a process and 64 once a cache, and neither they nor a hash are ever sent or stored. Each factor has a secret addend, so
/// that no block of a key makes a product zero but by chance. Two keys of one length up to 16 bytes are the same after the first product with
/// a probability of at most 2^-64 (the NH family); what follows mixes, and has no such proof (ADR-0028).
/// </summary>
internal static class KeyHash
{
    // Read-only and static: the compiler makes constants of them.
    private static readonly ulong s_first = NewSeed();
    private static readonly ulong s_low = NewSeed();
    private static readonly ulong s_high = NewSeed();

    /// <summary>A cache's own 64 bits.</summary>
    public static ulong NewSeed()
    {
        Span<byte> seed = stackalloc byte[sizeof(ulong)];
        RandomNumberGenerator.Fill(seed);
        return MemoryMarshal.Read<ulong>(seed);
    }

    /// <summary>The part of a hash that a key is known by within its shard; the lowest bits chose the shard.</summary>
    public static uint InShard(ulong hash) => (uint)(hash >> 32);

    public static ulong Compute(ReadOnlySpan<byte> key, ulong seed)
    {
        ref byte data = ref MemoryMarshal.GetReference(key);
        nuint length = (nuint)key.Length;
        ulong state = seed;
        nuint at = 0;
        while (length - at > 16)
        {
            state = Fold(Read64(ref data, at) + s_first, Read64(ref data, at + 8) + state);
            at += 16;
        }

        ulong a, b;
        nuint rest = length - at;
        if (rest >= 8)
        {
            a = Read64(ref data, at);
            b = Read64(ref data, length - 8);
        }
        else if (rest >= 4)
        {
            a = Read32(ref data, at);
            b = Read32(ref data, length - 4);
        }
        else if (rest > 0)
        {
            a = ((ulong)Unsafe.Add(ref data, at) << 16) | ((ulong)Unsafe.Add(ref data, at + (rest >> 1)) << 8) | Unsafe.Add(ref data, length - 1);
            b = 0;
        }
        else
        {
            a = b = 0;
        }

        ulong upper = Math.BigMul(a + s_first, b + state, out ulong lower);
        return Fold(lower + s_low, upper + (s_high ^ length));
    }

    private static ulong Fold(ulong a, ulong b)
    {
        ulong high = Math.BigMul(a, b, out ulong low);
        return high ^ low;
    }

    private static ulong Read64(ref byte data, nuint at) => Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref data, at));

    private static uint Read32(ref byte data, nuint at) => Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref data, at));
}
