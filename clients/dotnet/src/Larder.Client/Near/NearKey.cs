using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Larder.Client.Near;

/// <summary>The lookup key of copies: the cache, the key, and the hash of both.</summary>
internal readonly ref struct NearKey
{
    // Random and secret per process, so that callers cannot choose colliding keys. Static readonly fields, which the JIT treats as constants.
    private static readonly ulong s_first = NewSeed();
    private static readonly ulong s_second = NewSeed();

    public NearKey(string cache, ReadOnlySpan<byte> key)
    {
        Cache = cache;
        Bytes = key;
        Hash = (int)Add(Add(s_first, MemoryMarshal.AsBytes(cache.AsSpan())), key);
    }

    private NearKey(int hash, string cache, ReadOnlySpan<byte> key)
    {
        Hash = hash;
        Cache = cache;
        Bytes = key;
    }

    public string Cache { get; }

    public ReadOnlySpan<byte> Bytes { get; }

    public int Hash { get; }

    /// <summary>Creates a key whose hash is known.</summary>
    public static NearKey Of(NearFlight flight) => new(flight.Hash, flight.Cache, flight.Key);

    public static NearKey Of(NearCopy copy) => new(copy.Hash, copy.Cache, copy.Key);

    public bool Is(int hash, string cache, byte[] key) => hash == Hash && Bytes.SequenceEqual(key) && (ReferenceEquals(cache, Cache) || cache == Cache);

    // Folds 16 bytes at a time by a 64 × 64-bit multiplication; a secret is added to each factor (ADR-0028).
    private static ulong Add(ulong state, ReadOnlySpan<byte> bytes)
    {
        int length = bytes.Length;
        while (bytes.Length > 16)
        {
            state = Fold(BinaryPrimitives.ReadUInt64LittleEndian(bytes) + s_second, BinaryPrimitives.ReadUInt64LittleEndian(bytes[8..]) + state);
            bytes = bytes[16..];
        }

        (ulong low, ulong high) = bytes.Length switch
        {
            >= 8 => (BinaryPrimitives.ReadUInt64LittleEndian(bytes), BinaryPrimitives.ReadUInt64LittleEndian(bytes[^8..])),
            >= 4 => (BinaryPrimitives.ReadUInt32LittleEndian(bytes), BinaryPrimitives.ReadUInt32LittleEndian(bytes[^4..])),
            > 0 => (((ulong)bytes[0] << 16) | ((ulong)bytes[bytes.Length >> 1] << 8) | bytes[^1], 0UL),
            _ => (0UL, 0UL),
        };
        return Fold(Fold(low + s_second, high + state) + s_first, (ulong)length ^ s_second);
    }

    private static ulong Fold(ulong a, ulong b)
    {
        ulong high = Math.BigMul(a, b, out ulong low);
        return high ^ low;
    }

    private static ulong NewSeed()
    {
        Span<byte> seed = stackalloc byte[sizeof(ulong)];
        RandomNumberGenerator.Fill(seed);
        return BinaryPrimitives.ReadUInt64LittleEndian(seed);
    }
}
