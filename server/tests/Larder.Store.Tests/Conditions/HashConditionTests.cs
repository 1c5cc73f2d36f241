using System.Buffers;
using System.Buffers.Binary;

namespace Larder.Store.Tests;

public sealed class HashConditionTests
{
    // A shard of 64 MiB has segments of 512 KiB. An entry that is larger than an eighth of a segment gets its own segment.
    private const int LargeBytes = 100_000;

    [Theory]
    [InlineData(LargeBytes)]
    [InlineData(10 * LargeBytes)]
    [InlineData(50 * LargeBytes)]
    public void Large_value_is_hashed_outside_shard_lock(int valueBytes)
    {
        using var fixture = new StoreFixture(shards: 1);
        byte[] value = new byte[valueBytes];
        fixture.Cache.Set("k"u8, value, StoreFixture.Hour);
        byte[] hash = HashOf(value), other = new byte[Cache.ValueHashBytes];
        Assert.False(fixture.Cache.SetIf("k"u8, "no"u8, 1000, SetCondition.PresentAndHashEqual(other)));
        Assert.False(fixture.Cache.SetIf("k"u8, "no"u8, 1000, SetCondition.PresentAndNotHashEqual(hash)));
        Assert.False(fixture.Cache.SetIf("k"u8, "no"u8, 1000, SetCondition.AbsentOrHashEqual(other)));
        Assert.False(fixture.Cache.SetIf("k"u8, "no"u8, 1000, SetCondition.AbsentOrNotHashEqual(hash)));
        Assert.True(fixture.Cache.SetIf("k"u8, value, StoreFixture.Hour, SetCondition.PresentAndHashEqual(hash)));
        Assert.True(fixture.Cache.SetIf("k"u8, value, StoreFixture.Hour, SetCondition.PresentAndNotHashEqual(other)));
        Assert.True(fixture.Cache.SetIf("k"u8, value, StoreFixture.Hour, SetCondition.AbsentOrHashEqual(hash)));
        Assert.True(fixture.Cache.SetIf("k"u8, "yes"u8, StoreFixture.Hour, SetCondition.AbsentOrNotHashEqual(other)));
        Assert.Equal("yes", fixture.Get("k"));
        Assert.Equal(0, fixture.Store.BytesHashedLocked);
    }

    [Fact]
    public void Small_value_is_hashed_under_shard_lock()
    {
        using var fixture = new StoreFixture(shards: 1);
        fixture.Set("k", "value");
        Assert.True(fixture.SetIf("k", "other", SetCondition.PresentAndHashEqual(StoreFixture.Hash("value"))));
        Assert.Equal(5, fixture.Store.BytesHashedLocked);
    }

    [Fact]
    public async Task Concurrent_hash_conditional_writes_of_large_value_lose_no_update()
    {
        const int UpdatesPerWriter = 100;
        using var fixture = new StoreFixture(shards: 1);
        fixture.Cache.Set("k"u8, new byte[LargeBytes], StoreFixture.Hour);
        await Task.WhenAll(Enumerable.Range(0, 3).Select(_ => Task.Factory.StartNew(
            () =>
            {
                for (int done = 0; done < UpdatesPerWriter;)
                {
                    var present = new ArrayBufferWriter<byte>(LargeBytes);
                    Assert.True(fixture.Cache.TryGet("k"u8, present));
                    byte[] next = present.WrittenSpan.ToArray();
                    BinaryPrimitives.WriteInt32LittleEndian(next, BinaryPrimitives.ReadInt32LittleEndian(next) + 1);
                    done += fixture.Cache.SetIf("k"u8, next, StoreFixture.Hour, SetCondition.PresentAndHashEqual(HashOf(present.WrittenSpan))) ? 1 : 0;
                }
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default)));
        var last = new ArrayBufferWriter<byte>();
        Assert.True(fixture.Cache.TryGet("k"u8, last));
        Assert.Equal(3 * UpdatesPerWriter, BinaryPrimitives.ReadInt32LittleEndian(last.WrittenSpan));
    }

    private static byte[] HashOf(ReadOnlySpan<byte> value)
    {
        byte[] hash = new byte[Cache.ValueHashBytes];
        Cache.HashValue(value, hash);
        return hash;
    }
}
