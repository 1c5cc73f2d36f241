using System.Buffers.Binary;
using Larder.Store.Collections;

namespace Larder.Store.Tests.Collections;

/// <summary>Tests that fill a collection in large batches. The memory that is reserved for one batch and not used is available to the next batch.</summary>
public sealed class LargeBatchTests
{
    // The share of a shard in a store with a limit of 8 GiB on two processors.
    private const long Share = 256L << 20;
    private const int Count = 1_000_000;
    private const int NameBytes = 12;

    [Theory]
    [InlineData(ItemType.SortedSet, 2_000)]
    [InlineData(ItemType.SortedSet, 20_000)]
    [InlineData(ItemType.SortedSet, 100_000)]
    [InlineData(ItemType.Dictionary, 20_000)]
    [InlineData(ItemType.Dictionary, 100_000)]
    [InlineData(ItemType.Set, 20_000)]
    [InlineData(ItemType.Set, 100_000)]
    [InlineData(ItemType.List, 20_000)]
    [InlineData(ItemType.List, 100_000)]
    public void Collection_filled_in_large_batches_holds_a_million_elements(ItemType type, int batch)
    {
        using CollectionFixture fixture = new(Share);
        CacheStore store = fixture.Store.Store;
        long mostUnused = 0;
        for (int first = 0; first < Count; first += batch)
        {
            Assert.Equal(CollectionOutcome.Ok, Add(fixture.Cache, type, first, batch));
            Assert.Equal(first + batch, Length(fixture.Cache, type));
            mostUnused = Math.Max(mostUnused, store.GetStatistics().UsedMemoryBytes - store.CollectionBytes);
        }

        Assert.Equal(0, store.GetStatistics().Evictions.Total);
        Assert.InRange(mostUnused, 0, store.CollectionBytes / 2);
    }

    private static long Length(Cache cache, ItemType type)
    {
        Assert.Equal(CollectionOutcome.Ok, cache.PeekLength("c"u8, type, out long length));
        return length;
    }

    // Adds names and scores in a mixed order. The order contains all of them, because 7,919 and the count have no common factor.
    private static CollectionOutcome Add(Cache cache, ItemType type, int first, int count)
    {
        byte[] bytes = new byte[count * NameBytes];
        CollectionItem[] items = new CollectionItem[count];
        for (int i = 0; i < count; i++)
        {
            long number = (first + i) * 7919L % Count;
            BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(i * NameBytes), number);
            items[i] = new CollectionItem(i * NameBytes, NameBytes, 0, 0, number);
        }

        CollectionBatch batch = new(bytes, items);
        CollectionTtl ttl = new(StoreFixture.Hour, Refresh: true);
        return type switch
        {
            ItemType.SortedSet => cache.SortedSetPut("c"u8, batch, ttl),
            ItemType.Dictionary => cache.DictionarySet("c"u8, batch, ttl),
            ItemType.Set => cache.SetUnion("c"u8, batch, ttl),
            _ => cache.ListPush("c"u8, batch, ListEnd.Front, 0, ttl, out _),
        };
    }
}
