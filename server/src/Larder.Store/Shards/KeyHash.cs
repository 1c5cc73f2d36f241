using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Larder.Store;

/// <summary>
/// Computes the 64-bit hash of a key with 64 × 64-bit multiplications and secret addends, so that an attacker cannot choose colliding keys. 192 bits of the
/// addends are random per process, and 64 bits are random per cache. Neither these bits nor any hash is ever sent or stored. Each factor has a secret addend,
/// so that a product is zero only by chance. After the first product, two keys of the same length of up to 16 bytes collide with a probability of at most 2^-64
/// (the NH family). The following steps mix the bits. There is no such proof for them (ADR-0028).
/// </summary>
internal static class KeyHash
{
    // The fields are static and read-only, so that the JIT compiler treats them as constants.
    private static readonly ulong s_first = NewSeed();
    private static readonly ulong s_low = NewSeed();
    private static readonly ulong s_high = NewSeed();

    /// <summary>Returns a random seed. Each cache has its own seed.</summary>
    public static ulong NewSeed()
    {
        Span<byte> seed = stackalloc byte[sizeof(ulong)];
        RandomNumberGenerator.Fill(seed);
        return MemoryMarshal.Read<ulong>(seed);
    }

    /// <summary>Returns the part of a hash that identifies a key within its shard. The lowest bits select the shard.</summary>
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
