using System.Buffers;
using System.Text;

namespace Larder.Store.Tests;

public sealed class StaleTests : IDisposable
{
    private readonly StoreFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public void Expired_value_is_returned_only_to_reads_allowing_stale_values()
    {
        Set("k", ttlMs: 100, staleMs: 50);
        Assert.Equal("v", _fixture.Get("k"));
        Assert.Null(Stale("k"));
        _fixture.Clock.AdvanceMs(99);
        Assert.Equal("v", _fixture.Get("k"));
        _fixture.Clock.AdvanceMs(1);
        _fixture.Store.Maintain();
        Assert.Null(_fixture.Get("k"));
        Assert.False(_fixture.Cache.Contains("k"u8));
        Assert.Equal("v", Stale("k"));
        _fixture.Clock.AdvanceMs(49);
        Assert.Equal("v", Stale("k"));
        _fixture.Clock.AdvanceMs(1);
        Assert.Null(Stale("k"));
    }

    [Fact]
    public void Stale_value_is_reclaimed_when_stale_time_ends()
    {
        Set("k", ttlMs: 10_000, staleMs: 60_000);
        Maintain(9_999, expected: 1);
        Maintain(59_000, expected: 1);
        Maintain(2_000, expected: 0);
    }

    [Fact]
    public void Longest_stale_time_is_accepted_and_longer_is_rejected()
    {
        long most = (long)new CacheStoreOptions { MaxMemoryBytes = 1 << 26 }.MaxTtl.TotalMilliseconds;
        Set("k", most, most);
        _fixture.Clock.AdvanceMs(most + most - 1);
        Assert.Equal("v", Stale("k"));
        foreach (long staleMs in (long[])[most + 1, most * 10, -1, long.MaxValue, long.MinValue])
        {
            Assert.Throws<ArgumentOutOfRangeException>(() => Set("other", 1, staleMs));
        }

        Assert.Null(_fixture.Get("other"));
    }

    [Fact]
    public void Write_or_delete_removes_stale_value()
    {
        foreach (Action write in (Action[])[
            () => _fixture.Cache.Delete("k"u8),
            () => _fixture.Cache.UpdateTtl("k"u8, TtlUpdate.OverwriteTo, 1_000),
            () => _fixture.Cache.Increment("k"u8, 1, 1, out _),
            () => _fixture.SetIf("k", "w", SetCondition.Present),
            () => _fixture.Set("k", "w", 1)])
        {
            Set("k", ttlMs: 1, staleMs: 1_000);
            _fixture.Clock.AdvanceMs(2);
            Assert.Equal("v", Stale("k"));
            write();
            _fixture.Clock.AdvanceMs(2);
            Assert.Null(Stale("k"));
        }
    }

    [Fact]
    public void TTL_update_shifts_end_of_stale_time()
    {
        Set("k", ttlMs: 100, staleMs: 50);
        Assert.Equal(TtlUpdateOutcome.Set, _fixture.Cache.UpdateTtl("k"u8, TtlUpdate.OverwriteTo, 1_000));
        _fixture.Clock.AdvanceMs(1_049);
        Assert.Equal("v", Stale("k"));
        Set("k", ttlMs: 1_000, staleMs: 50);
        Assert.Equal(TtlUpdateOutcome.Set, _fixture.Cache.UpdateTtl("k"u8, TtlUpdate.OverwriteTo, 10));
        _fixture.Clock.AdvanceMs(60);
        Assert.Null(Stale("k"));
        Maintain(200, expected: 0);
    }

    [Fact]
    public void Stale_value_is_removed_by_tag_removal_and_flush()
    {
        _fixture.Cache.SetWith("k"u8, "v"u8, 1, new ItemExtras([1], 1_000, _fixture.Cache.Removals));
        _fixture.Clock.AdvanceMs(2);
        Assert.Equal("v", Stale("k"));
        _fixture.Cache.RemoveByTags([1]);
        Assert.Null(Stale("k"));
        Set("k", ttlMs: 1, staleMs: 1_000);
        _fixture.Clock.AdvanceMs(2);
        _fixture.Store.FlushCache("cache");
        Assert.Null(Stale("k"));
    }

    [Fact]
    public void Items_without_stale_time_are_never_stale()
    {
        _fixture.Set("k", "v", 1);
        Assert.Null(Stale("k"));
        _fixture.Clock.AdvanceMs(2);
        Assert.Null(Stale("k"));
        Assert.Null(Stale("none"));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(Cache.MaxValidatorBytes)]
    public void STALE_5_validator_is_returned_with_the_stale_value(int length)
    {
        byte[] validator = [.. Enumerable.Range(0, length).Select(static each => (byte)each)];
        foreach (int tags in (int[])[0, 1, Cache.MaxTags])
        {
            ulong[] hashes = [.. Enumerable.Range(0, tags).Select(static each => (ulong)each)];
            _fixture.Cache.SetWith("k"u8, "v"u8, 1, new ItemExtras(hashes, 1_000, _fixture.Cache.Removals, validator));
            Assert.Equal("v", _fixture.Get("k"));
            _fixture.Clock.AdvanceMs(2);
            Assert.Equal("v", Stale("k"));
            Assert.Equal(validator, Validator("k"));
        }

        _fixture.Cache.RemoveByTags([Cache.MaxTags - 1]);
        Assert.Null(Stale("k"));
    }

    [Fact]
    public void STALE_5_write_replaces_or_removes_the_validator()
    {
        _fixture.Cache.SetWith("k"u8, "v"u8, 1, new ItemExtras(default, 1_000, 0, "first"u8));
        _fixture.Cache.SetWith("k"u8, "v"u8, 1, new ItemExtras(default, 1_000, 0, "second"u8));
        _fixture.Clock.AdvanceMs(2);
        Assert.Equal("second"u8.ToArray(), Validator("k"));
        _fixture.Cache.SetWith("k"u8, "v"u8, 1, new ItemExtras(default, 1_000, 0));
        _fixture.Clock.AdvanceMs(2);
        Assert.Empty(Validator("k")!);
        _fixture.Cache.SetWith("k"u8, "v"u8, 1, new ItemExtras([1], 0, 0, "never stale"u8));
        _fixture.Clock.AdvanceMs(2);
        Assert.Null(Validator("k"));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(Cache.MaxValidatorBytes * 9)]
    public void STALE_5_validator_over_its_limit_is_rejected(int over)
    {
        byte[] validator = new byte[Cache.MaxValidatorBytes + over];
        Assert.Throws<ArgumentException>(() => _fixture.Cache.SetWith("k"u8, "v"u8, 1, new ItemExtras(default, 1, 0, validator)));
        Assert.Null(_fixture.Get("k"));
    }

    private byte[]? Validator(string key)
    {
        ArrayBufferWriter<byte> validators = new();
        StaleSink sink = new(new ArrayBufferWriter<byte>(), validators);
        return _fixture.Cache.TryGetStale(StoreFixture.Bytes(key), ref sink) ? validators.WrittenSpan.ToArray() : null;
    }

    private void Maintain(long ms, long expected)
    {
        _fixture.Clock.AdvanceMs(ms);
        for (int i = 0; i < 10; i++)
        {
            _fixture.Store.Maintain();
        }

        Assert.Equal(expected, _fixture.Store.GetStatistics().Entries);
    }

    private void Set(string key, long ttlMs, long staleMs) =>
        _fixture.Cache.SetWith(StoreFixture.Bytes(key), "v"u8, ttlMs, new ItemExtras(default, staleMs, _fixture.Cache.Removals));

    private string? Stale(string key)
    {
        ArrayBufferWriter<byte> buffer = new();
        StaleSink sink = new(buffer);
        return _fixture.Cache.TryGetStale(StoreFixture.Bytes(key), ref sink) ? Encoding.UTF8.GetString(buffer.WrittenSpan) : null;
    }
}
