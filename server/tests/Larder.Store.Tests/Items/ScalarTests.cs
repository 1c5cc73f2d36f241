using System.Text;

namespace Larder.Store.Tests;

public sealed class ScalarTests
{
    [Fact]
    public void Get_returns_stored_value()
    {
        using var fixture = new StoreFixture();
        fixture.Set("k", "v");
        Assert.Equal("v", fixture.Get("k"));
        Assert.True(fixture.Cache.Contains("k"u8));
        Assert.Null(fixture.Get("K"));
    }

    [Fact]
    public void Empty_value_can_be_stored()
    {
        using var fixture = new StoreFixture();
        fixture.Set("k", "");
        Assert.Equal("", fixture.Get("k"));
    }

    [Fact]
    public void Set_replaces_value_and_TTL()
    {
        using var fixture = new StoreFixture();
        fixture.Set("k", "old", ttlMs: 10);
        fixture.Set("k", "a longer new value", ttlMs: 1000);
        fixture.Clock.AdvanceMs(500);
        Assert.Equal("a longer new value", fixture.Get("k"));
        Assert.Equal(1, fixture.Store.GetStatistics().Entries);
    }

    [Fact]
    public void Delete_removes_entry_and_returns_false_when_missing()
    {
        using var fixture = new StoreFixture();
        fixture.Set("k", "v");
        Assert.True(fixture.Cache.Delete("k"u8));
        Assert.False(fixture.Cache.Delete("k"u8));
        Assert.Null(fixture.Get("k"));
        Assert.Equal(0, fixture.Store.GetStatistics().Bytes);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(8)]
    [InlineData(255)]
    [InlineData(70_000)]
    public void Keys_that_differ_in_last_byte_are_distinct(int length)
    {
        using var fixture = new StoreFixture();
        byte[] key = new byte[length];
        for (int last = 0; last < 256; last++)
        {
            key[^1] = (byte)last;
            fixture.Cache.Set(key, [(byte)last], StoreFixture.Hour);
        }

        for (int last = 0; last < 256; last++)
        {
            key[^1] = (byte)last;
            var buffer = new System.Buffers.ArrayBufferWriter<byte>();
            Assert.True(fixture.Cache.TryGet(key, buffer));
            Assert.Equal([(byte)last], buffer.WrittenSpan.ToArray());
        }
    }

    [Fact]
    public void Set_accepts_largest_item_and_rejects_one_byte_more()
    {
        using var fixture = new StoreFixture(maxMemoryBytes: 256L << 20);
        Assert.Equal(5_000_192, fixture.Store.MaxItemBytes);
        byte[] value = new byte[fixture.Store.MaxItemBytes - 1];
        value[^1] = 7;
        fixture.Cache.Set("k"u8, value, 1000);
        var buffer = new System.Buffers.ArrayBufferWriter<byte>();
        Assert.True(fixture.Cache.TryGet("k"u8, buffer));
        Assert.True(buffer.WrittenSpan.SequenceEqual(value));
        Assert.Throws<ArgumentException>(() => fixture.Cache.Set("kk"u8, value, 1000));
        Assert.True(fixture.Cache.Contains("k"u8));
    }

    [Fact]
    public void Set_rejects_empty_key_and_invalid_TTL()
    {
        using var fixture = new StoreFixture();
        Assert.Throws<ArgumentException>(() => fixture.Cache.Set([], "v"u8, 1));
        Assert.Throws<ArgumentException>(() => fixture.Cache.Contains([]));
        Assert.Throws<ArgumentOutOfRangeException>(() => fixture.Set("k", "v", ttlMs: 0));
        Assert.Throws<ArgumentOutOfRangeException>(() => fixture.Set("k", "v", ttlMs: -1));
        Assert.Throws<ArgumentOutOfRangeException>(() => fixture.Set("k", "v", ttlMs: (24 * StoreFixture.Hour) + 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => fixture.Set("k", "v", ttlMs: long.MaxValue));
        fixture.Set("k", "v", ttlMs: 24 * StoreFixture.Hour);
    }

    [Fact]
    public void HashValue_returns_known_hash()
    {
        Assert.Equal("2cf24dba5fb0a30e26e83b2ac5b9e29e", Convert.ToHexStringLower(StoreFixture.Hash("hello")));
        Assert.Equal(Cache.ValueHashBytes, Cache.HashValue(Encoding.UTF8.GetBytes("hello"), new byte[16]));
        Assert.Throws<ArgumentException>(() => Cache.HashValue("hello"u8, new byte[15]));
    }

    [Fact]
    public void Exception_from_sink_leaves_store_usable()
    {
        using var fixture = new StoreFixture();
        fixture.Set("k", "v");
        Assert.Throws<InvalidOperationException>(() =>
        {
            var sink = default(ThrowingSink);
            fixture.Cache.TryGet("k"u8, ref sink);
        });
        fixture.Set("k", "w");
        Assert.Equal("w", fixture.Get("k"));
    }

    private struct ThrowingSink : IValueSink
    {
        public readonly void Accept(ReadOnlySpan<byte> value) => throw new InvalidOperationException("The sink failed.");
    }
}
