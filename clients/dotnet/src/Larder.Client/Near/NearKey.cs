using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Larder.Client.Near;

/// <summary>The key by which copies are looked up: the cache's name, the item's key, and the hash of both.</summary>
internal readonly ref struct NearKey
{
    // The seeds of the hash. They are random and secret, so that an attacker cannot choose keys whose hashes collide. They are static readonly fields because
    // the JIT compiler treats such fields as constants.
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

    /// <summary>Creates the lookup key for the near gets of one key. Uses the hash in <paramref name="flight"/> and does not compute it again.</summary>
    public static NearKey Of(NearFlight flight) => new(flight.Hash, flight.Cache, flight.Key);

    public static NearKey Of(NearCopy copy) => new(copy.Hash, copy.Cache, copy.Key);

    public bool Is(int hash, string cache, byte[] key) => hash == Hash && Bytes.SequenceEqual(key) && (ReferenceEquals(cache, Cache) || cache == Cache);

    // Adds bytes to the hash. Each step combines 16 bytes with a 64 × 64-bit multiplication. A secret is added to each factor (ADR-0028).
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
