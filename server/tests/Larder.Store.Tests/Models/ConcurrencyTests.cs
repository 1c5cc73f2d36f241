using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Larder.Store.Tests;

/// <summary>
/// Tests with several threads that use the same keys while entries are evicted. A value must always be complete, and must have been set under its key.
/// </summary>
public sealed class ConcurrencyTests
{
    [Theory]
    [InlineData(2, 300)]
    [InlineData(16, 20_000)]
    public async Task Concurrent_reads_return_complete_values_of_their_key(int megabytes, int keys)
    {
        using var fixture = new StoreFixture((long)megabytes << 20);
        await Task.WhenAll(Enumerable.Range(0, 4).Select(seed => Task.Factory.StartNew(
            () => Work(fixture, seed, keys),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default)));
        fixture.Store.AssertValid();
    }

    [Fact]
    public async Task Concurrent_flushes_keep_entries_of_another_cache()
    {
        using var fixture = new StoreFixture(8L << 20);
        fixture.Store.CreateCache("other");
        Cache other = fixture.Store.Find("other")!;
        other.Set("kept"u8, "v"u8, StoreFixture.Hour);
        var flusher = Task.Run(() =>
        {
            for (int i = 0; i < 300; i++)
            {
                fixture.Store.FlushCache("cache");
                Assert.Equal("v", StoreFixture.Get(other, "kept"));
            }
        });
        await Task.WhenAll(flusher, Task.Run(() => Work(fixture, 1, 500)), Task.Run(() => Work(fixture, 2, 500)));
    }

    private static void Work(StoreFixture fixture, int seed, int keys)
    {
        var random = new Random(seed);
        byte[] key = new byte[16];
        byte[] value = new byte[4096];
        for (int i = 0; i < 60_000; i++)
        {
            BinaryPrimitives.WriteInt32LittleEndian(key, random.Next(keys));
            switch (random.Next(8))
            {
                case < 4:
                    var sink = new CheckedSink(key);
                    fixture.Cache.TryGet(key, ref sink);
                    break;
                case 4:
                    fixture.Cache.Delete(key);
                    break;
                case 5:
                    fixture.Cache.UpdateTtl(key, TtlUpdate.OverwriteTo, 1 + random.Next(1_000_000));
                    break;
                default:
                    Span<byte> written = CheckedSink.Fill(value, key, random);
                    fixture.Cache.Set(key, written, 1 + random.Next(1_000_000));
                    break;
            }

            if (i % 1000 == 0)
            {
                fixture.Clock.AdvanceMs(random.Next(2_000));
            }
        }
    }

    /// <summary>A value that contains its key and a checksum.</summary>
    private readonly struct CheckedSink(byte[] key) : IValueSink
    {
        public static Span<byte> Fill(byte[] buffer, byte[] key, Random random)
        {
            int length = 48 + (int)Math.Pow(4000, random.NextDouble());
            Span<byte> value = buffer.AsSpan(0, length);
            random.NextBytes(value[32..]);
            key.CopyTo(value[32..]);
            SHA256.HashData(value[32..], value[..32]);
            return value;
        }

        public void Accept(ReadOnlySpan<byte> value)
        {
            Assert.True(value.Length >= 48);
            Assert.True(value.Slice(32, 16).SequenceEqual(key), "the value belongs to another key");
            Span<byte> hash = stackalloc byte[32];
            SHA256.HashData(value[32..], hash);
            Assert.True(hash.SequenceEqual(value[..32]), "the value is torn");
        }
    }
}
