using System.Buffers.Binary;
using System.Numerics;

namespace Larder.Store.Tests;

/// <summary>
/// Tests that the hashes of keys that an attacker chooses are distributed as well as those of other keys. The attacker knows the source code, but not the
/// secrets.
/// </summary>
public sealed class KeyHashTests
{
    // A set of 5,000 random 32-bit hashes has 5,000² / 2^33 = 0.003 collisions on average. The probability that at least one of about 3,000 sets has three or
    // more collisions is 1 in 100,000.
    private const int Keys = 5_000;
    private const int CollisionsByChance = 2;

    private static readonly int[] s_prefixes = [0, 8, 16, 24, 32, 48];
    private static readonly int[] s_suffixes = [0, 1, 3, 4, 7, 8, 9, 15, 16];

    // Constants of former versions of this hash and of other hashes: pi, golden ratio, wyhash, rapidhash, FNV, and values that make a product or sum
    // degenerate.
    private static readonly ulong[] s_constants =
    [
        0x243F6A8885A308D3, 0x13198A2E03707345, 0xA4093822299F31D1, 0x9E3779B97F4A7C15, 0xA0761D6478BD642F, 0xE7037ED1A0B428DB, 0x8EBC6AF09C88C6E3,
        0x2D358DCCAA6C78A5, 0x8BB84B93962EACC9, 0xCBF29CE484222325, 0, 1, 1ul << 63, ulong.MaxValue, 0x5555555555555555, 0xAAAAAAAAAAAAAAAA,
    ];

    private delegate (ulong Low, ulong High) Block(ulong i);

    [Fact]
    public void Keys_that_contain_hash_constants_do_not_collide()
    {
        foreach (ulong constant in s_constants)
        {
            AssertSpread($"low half {constant:X}", i => (constant, i));
            AssertSpread($"high half {constant:X}", i => (i, constant));
        }
    }

    [Fact]
    public void Keys_with_related_block_halves_do_not_collide()
    {
        AssertSpread("equal halves", i => (i, i));
        AssertSpread("complements", i => (i, ~i));
        AssertSpread("negated", i => (i, 0 - i));
        AssertSpread("constant sum", i => (0x13198A2E03707345 + i, 0x243F6A8885A308D3 - i));
        AssertSpread("constant difference", i => (0x13198A2E03707345 ^ i, 0x243F6A8885A308D3 ^ i));
        AssertSpread("halves in both orders", i => (i & 1) == 0 ? (i, ~(i * 3)) : (~((i ^ 1) * 3), i ^ 1));
        AssertSpread("both complemented", i => (i & 1) == 0 ? (i, i * 5) : (~(i ^ 1), ~((i ^ 1) * 5)));
        AssertSpread("top bits", i => (i << 50, i << 51));
        AssertSpread("two bits set", i => (1ul << (int)(i % 64), 1ul << (int)(i / 64 % 64)), 64 * 64);
        AssertSpread("parts of 2^64 - 1", i => (ulong.MaxValue / 3 * (i % 3), ulong.MaxValue / 5 * (i % 5) + i / 15));
    }

    [Theory]
    [InlineData(1, 256)]
    [InlineData(2, Keys)]
    [InlineData(3, Keys)]
    [InlineData(4, Keys)]
    [InlineData(7, Keys)]
    [InlineData(8, Keys)]
    [InlineData(16, Keys)]
    [InlineData(100, Keys)]
    [InlineData(1000, Keys)]
    public void Sequential_keys_of_any_length_do_not_collide(int length, int keys)
    {
        byte[] key = new byte[Math.Max(length, 4)];
        AssertSpread($"{length} bytes", (i, seed) =>
        {
            BinaryPrimitives.WriteUInt32LittleEndian(key, (uint)i);
            return KeyHash.Compute(key.AsSpan(0, length), seed);
        }, keys);
    }

    [Fact]
    public void Zero_filled_keys_of_different_lengths_do_not_collide()
    {
        byte[] zeros = new byte[Keys];
        AssertSpread("zeros", (i, seed) => KeyHash.Compute(zeros.AsSpan(0, i), seed), Keys);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(0x9E3779B97F4A7C15)]
    public void Keys_offset_by_known_step_hash_differently_per_cache(ulong step)
    {
        using var store = new CacheStore(new CacheStoreOptions { MaxMemoryBytes = 4 << 20, Shards = 1 });
        byte[] key = new byte[16];
        var hashes = new HashSet<uint>();
        for (int i = 0; i < 500; i++)
        {
            store.CreateCache($"{i}");
            BinaryPrimitives.WriteUInt64LittleEndian(key.AsSpan(8), 0 - (step * (ulong)i));
            hashes.Add(store.Find($"{i}")!.HashOf(key));
        }

        Assert.InRange(hashes.Count, 499, 500);
    }

    [Fact]
    public void Ordinary_keys_spread_evenly_over_every_hash_byte()
    {
        const int Drawn = 50_000;
        foreach (
            Func<int, byte[]> key in new Func<int, byte[]>[]
            {
                i => StoreFixture.Bytes($"key:{i:D12}"),
                i => BitConverter.GetBytes(i),
                i => StoreFixture.Bytes($"user/{i}/profile/picture/of/the/day"),
            })
        {
            ulong seed = KeyHash.NewSeed();
            ulong[] hashes = [.. Enumerable.Range(0, Drawn).Select(i => KeyHash.Compute(key(i), seed))];
            for (int shift = 0; shift <= 56; shift += 8)
            {
                int[] counts = new int[256];
                Array.ForEach(hashes, hash => counts[(byte)(hash >> shift)]++);
                double expected = Drawn / 256.0;
                double chiSquare = counts.Sum(count => (count - expected) * (count - expected) / expected);

                // With 255 degrees of freedom, the mean is 255 and the standard deviation is 22.6. The limits are 8 standard deviations away.
                Assert.InRange(chiSquare, 75, 436);
            }
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(8)]
    [InlineData(16)]
    [InlineData(17)]
    [InlineData(40)]
    public void Each_key_bit_flips_each_hash_bit_half_the_time(int length)
    {
        const int Samples = 1_000;
        var random = new Random(length);
        byte[] key = new byte[length];
        for (int bit = 0; bit < length * 8; bit++)
        {
            int[] flips = new int[64];
            for (int sample = 0; sample < Samples; sample++)
            {
                random.NextBytes(key);
                ulong seed = (ulong)random.NextInt64();
                ulong before = KeyHash.Compute(key, seed);
                key[bit / 8] ^= (byte)(1 << (bit % 8));
                for (ulong changed = before ^ KeyHash.Compute(key, seed); changed != 0; changed &= changed - 1)
                {
                    flips[BitOperations.TrailingZeroCount(changed)]++;
                }
            }

            // The standard deviation is 15.8. The limits are 8 standard deviations away.
            Assert.All(flips, count => Assert.InRange(count, (Samples / 2) - 127, (Samples / 2) + 127));
        }
    }

    /// <summary>Checks how the hashes of keys are distributed. The keys contain a block between a prefix and a suffix of varying lengths.</summary>
    private static void AssertSpread(string family, Block block, int keys = Keys)
    {
        foreach (int prefix in s_prefixes)
        {
            foreach (int suffix in s_suffixes)
            {
                byte[] key = new byte[prefix + 16 + suffix];
                AssertSpread($"{family}, at {prefix} of {key.Length} bytes", (i, seed) =>
                {
                    (ulong low, ulong high) = block((ulong)i);
                    BinaryPrimitives.WriteUInt64LittleEndian(key.AsSpan(prefix), low);
                    BinaryPrimitives.WriteUInt64LittleEndian(key.AsSpan(prefix + 8), high);
                    return KeyHash.Compute(key, seed);
                }, keys);
            }
        }
    }

    private static void AssertSpread(string family, Func<int, ulong, ulong> hash, int keys)
    {
        ulong seed = KeyHash.NewSeed();
        uint[] hashes = new uint[keys];
        for (int i = 0; i < keys; i++)
        {
            hashes[i] = KeyHash.InShard(hash(i, seed));
        }

        Array.Sort(hashes);
        int distinct = 1;
        for (int i = 1; i < keys; i++)
        {
            distinct += hashes[i] == hashes[i - 1] ? 0 : 1;
        }

        Assert.True(keys - distinct <= CollisionsByChance, $"{family}: {distinct} hashes of {keys} keys");
    }
}
