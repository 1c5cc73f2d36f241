namespace Larder.Store.Tests;

/// <summary>Items that are not scalars: their type stays with them, and what they hold is let go of exactly once, whatever makes them leave.</summary>
public sealed class ItemTypeTests : IDisposable
{
    private readonly HeldItems _items = new();
    private readonly StoreFixture _fixture;

    public ItemTypeTests() => _fixture = new StoreFixture(16L << 20, shards: 1, items: _items);

    public static TheoryData<string> Leavings => ["delete", "scalar", "as long", "same bytes", "other", "expiry", "flush", "cache", "eviction"];

    public void Dispose() => _fixture.Dispose();

    [Theory]
    [InlineData(ItemType.Scalar)]
    [InlineData(ItemType.Dictionary)]
    [InlineData(ItemType.Set)]
    [InlineData(ItemType.List)]
    [InlineData(ItemType.SortedSet)]
    public void An_item_has_the_type_it_was_stored_with(ItemType type)
    {
        Put(type, 1);
        Assert.True(_fixture.Cache.TryGetType("1"u8, out ItemType stored));
        Assert.Equal(type, stored);
        Assert.False(_fixture.Cache.TryGetType("2"u8, out _));
    }

    [Theory]
    [MemberData(nameof(Leavings))]
    public void What_an_item_holds_is_let_go_of_once_when_it_leaves(string how)
    {
        Put(ItemType.List, 1);
        switch (how)
        {
            case "delete":
                Assert.True(_fixture.Cache.Delete("1"u8));
                break;
            case "scalar":
                _fixture.Set("1", "a value");
                break;
            case "as long":
                _fixture.Set("1", "12345678");
                _fixture.Set("1", "87654321");
                Assert.Equal("87654321", _fixture.Get("1"));
                break;
            case "same bytes":
                _fixture.Cache.Set("1"u8, BitConverter.GetBytes(1L), StoreFixture.Hour);
                break;
            case "other":
                _fixture.Cache.SetItem(ItemType.Set, "1"u8, BitConverter.GetBytes(2L), StoreFixture.Hour);
                break;
            case "expiry":
                _fixture.Clock.AdvanceMs(StoreFixture.Hour + 2000);
                _fixture.Store.Maintain();
                break;
            case "flush":
                _fixture.Store.FlushCache("cache");
                _fixture.Store.Maintain();
                break;
            case "cache":
                _fixture.Store.DeleteCache("cache");
                _fixture.Store.Maintain();
                break;
            case "eviction":
                for (int i = 0; i < 40_000; i++)
                {
                    _fixture.Set($"scalar {i}", new string('x', 1000));
                }

                break;
        }

        Assert.Equal(new Dictionary<string, int> { ["List 1"] = 1 }, _items.Released);
    }

    [Fact]
    public void An_item_that_is_moved_or_given_another_time_keeps_its_type_and_what_it_holds()
    {
        for (int i = 0; i < 1000; i++)
        {
            Put(ItemType.SortedSet, i);
        }

        // More often than an entry has versions, so that it is written anew, beside deletions that make its segment worth compacting.
        for (int round = 0; round < 10_000; round++)
        {
            _fixture.Cache.UpdateTtl("7"u8, TtlUpdate.OverwriteTo, StoreFixture.Hour - round);
            _fixture.Set($"scalar {round}", new string('x', 2000));
            _fixture.Cache.Delete(StoreFixture.Bytes($"scalar {round - 10}"));
        }

        Assert.True(_fixture.Cache.TryGetType("7"u8, out ItemType type));
        Assert.Equal(ItemType.SortedSet, type);
        Assert.DoesNotContain("SortedSet 7", _items.Released.Keys);
        Assert.All(_items.Released.Values, times => Assert.Equal(1, times));
    }

    private void Put(ItemType type, int number) =>
        _fixture.Cache.SetItem(type, StoreFixture.Bytes($"{number}"), BitConverter.GetBytes((long)number), StoreFixture.Hour);
}
