using Larder.Store.Collections;

namespace Larder.Store.Tests;

/// <summary>Tests that items that are not scalars keep their type, and that their memory is freed exactly once, regardless of what removes them.</summary>
public sealed class ItemTypeTests : IDisposable
{
    private readonly StoreFixture _fixture = new(16L << 20, shards: 1);

    public static TheoryData<string, int> Leavings
    {
        get
        {
            TheoryData<string, int> data = [];
            foreach (string how in (string[])["delete", "scalar", "as long", "expiry", "flush", "eviction"])
            {
                data.Add(how, 3);
                data.Add(how, 2000);
            }

            return data;
        }
    }

    public void Dispose() => _fixture.Dispose();

    [Theory]
    [InlineData(ItemType.Scalar)]
    [InlineData(ItemType.Dictionary)]
    [InlineData(ItemType.Set)]
    [InlineData(ItemType.List)]
    [InlineData(ItemType.SortedSet)]
    public void Item_keeps_type_it_was_stored_with(ItemType type)
    {
        Put(type, 1, 3);
        Assert.True(_fixture.Cache.TryGetType("1"u8, out ItemType stored));
        Assert.Equal(type, stored);
        Assert.False(_fixture.Cache.TryGetType("2"u8, out _));
    }

    [Theory]
    [MemberData(nameof(Leavings))]
    public void Memory_of_removed_collection_is_freed(string how, int elements)
    {
        foreach (ItemType type in (ItemType[])[ItemType.Dictionary, ItemType.Set, ItemType.List, ItemType.SortedSet])
        {
            Put(type, 1, elements);
            Leave(how);
            _fixture.Store.Maintain();

            // AssertValid checks that each block belongs to a collection (Shard.AssertCollections).
            _fixture.Store.AssertValid();
            Assert.Equal(0, _fixture.Store.CollectionBytes);
        }
    }

    [Fact]
    public void Moved_collection_keeps_type_and_elements_after_TTL_updates()
    {
        for (int i = 0; i < 1000; i++)
        {
            Put(ItemType.SortedSet, i, 3);
        }

        // Make more changes than an entry has versions, so that it is written as a new entry. The deletions create dead space, so that its segment is
        // compacted.
        for (int round = 0; round < 10_000; round++)
        {
            _fixture.Cache.UpdateTtl("7"u8, TtlUpdate.OverwriteTo, StoreFixture.Hour - round);
            _fixture.Set($"scalar {round}", new string('x', 2000));
            _fixture.Cache.Delete(StoreFixture.Bytes($"scalar {round - 10}"));
        }

        Assert.True(_fixture.Cache.TryGetType("7"u8, out ItemType type));
        Assert.Equal(ItemType.SortedSet, type);
        _fixture.Cache.SortedSetLength("7"u8, out long length);
        Assert.Equal(3, length);
    }

    private void Leave(string how)
    {
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
                _fixture.Cache.Delete("1"u8);
                break;
            case "expiry":
                _fixture.Clock.AdvanceMs(StoreFixture.Hour + 2000);
                break;
            case "flush":
                _fixture.Store.FlushCache("cache");
                break;
            case "eviction":
                // Each scalar is read once, which promotes it to the main queue. If the collection's key was remembered, the collection is also in the main
                // queue. In this case, only entries in the main queue can cause the eviction of the collection.
                for (int i = 0; i < 400_000 && _fixture.Store.CollectionBytes > 0; i++)
                {
                    _fixture.Set($"scalar {i}", new string('x', 1000));
                    _fixture.Get($"scalar {i}");
                }

                break;
        }

        if (how == "scalar")
        {
            Assert.Equal("a value", _fixture.Get("1"));
            _fixture.Cache.Delete("1"u8);
        }
    }

    private void Put(ItemType type, int number, int elements)
    {
        byte[] key = StoreFixture.Bytes($"{number}");
        if (type == ItemType.Scalar)
        {
            _fixture.Set($"{number}", "v");
            return;
        }

        byte[] bytes = new byte[elements * 8];
        CollectionItem[] items = new CollectionItem[elements];
        for (int i = 0; i < elements; i++)
        {
            BitConverter.TryWriteBytes(bytes.AsSpan(i * 8), (long)i);
            items[i] = new CollectionItem(i * 8, 8, i * 8, 8, i);
        }

        CollectionTtl ttl = new(StoreFixture.Hour, Refresh: true);
        CollectionBatch batch = new(bytes, items);
        CollectionOutcome outcome = type switch
        {
            ItemType.Dictionary => _fixture.Cache.DictionarySet(key, batch, ttl),
            ItemType.Set => _fixture.Cache.SetUnion(key, batch, ttl),
            ItemType.List => _fixture.Cache.ListPush(key, batch, ListEnd.Back, 0, ttl, out _),
            _ => _fixture.Cache.SortedSetPut(key, batch, ttl),
        };
        Assert.Equal(CollectionOutcome.Ok, outcome);
    }
}
