using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Larder.Store;

/// <summary>
/// The 64-bit hash of a key, by folded 64 × 64-bit multiplication. Its seed is drawn at random per store, so that a stranger cannot choose keys that
/// collide; it is therefore never sent or stored.
/// </summary>
internal static class KeyHash
{
    // Odd constants with half their bits set, from the fractional digits of pi.
    private const ulong P0 = 0x243F6A8885A308D3;
    private const ulong P1 = 0x13198A2E03707345;
    private const ulong P2 = 0xA4093822299F31D1;

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
        ulong state = seed ^ P0;
        nuint at = 0;
        while (length - at > 16)
        {
            state = Fold(Read64(ref data, at) ^ P1, Read64(ref data, at + 8) ^ state);
            at += 16;
        }

        ulong low, high;
        nuint rest = length - at;
        if (rest >= 8)
        {
            low = Read64(ref data, at);
            high = Read64(ref data, length - 8);
        }
        else if (rest >= 4)
        {
            low = Read32(ref data, at);
            high = Read32(ref data, length - 4);
        }
        else if (rest > 0)
        {
            low = ((ulong)Unsafe.Add(ref data, at) << 16) | ((ulong)Unsafe.Add(ref data, at + (rest >> 1)) << 8) | Unsafe.Add(ref data, length - 1);
            high = 0;
        }
        else
        {
            low = high = 0;
        }

        return Fold(P2 ^ length, Fold(low ^ P1, high ^ state));
    }

    private static ulong Fold(ulong a, ulong b)
    {
        ulong high = Math.BigMul(a, b, out ulong low);
        return high ^ low;
    }

    private static ulong Read64(ref byte data, nuint at) => Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref data, at));

    private static uint Read32(ref byte data, nuint at) => Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref data, at));
}
