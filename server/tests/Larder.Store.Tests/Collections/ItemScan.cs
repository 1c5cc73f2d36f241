using System.Globalization;
using System.Text;
using Larder.Store.Collections;

namespace Larder.Store.Tests.Collections;

/// <summary>Fills collections of any type with one call, and scans them as text: "f=v" for a dictionary, "m:1.5" for a sorted set.</summary>
internal sealed class ItemScan(Cache cache)
{
    // The number of elements per write.
    private const int AtOnce = 10_000;

    private static readonly CollectionTtl s_hour = new(StoreFixture.Hour, Refresh: true);

    public static ItemType[] Types => [ItemType.Dictionary, ItemType.Set, ItemType.List, ItemType.SortedSet];

    /// <summary>Returns the text of an element in the format of a scan.</summary>
    public static string Text(ItemType type, string prefix, int number) => Text(type, prefix + number.ToString(CultureInfo.InvariantCulture));

    public static string Text(ItemType type, string name) => type switch
    {
        ItemType.Dictionary => $"{name}=v",
        ItemType.SortedSet => $"{name}:{name.Length}",
        _ => name,
    };

    public void Fill(string key, ItemType type, string prefix, int first, int elements)
    {
        foreach (string[] some in Enumerable.Range(first, elements).Select(number => Text(type, prefix, number)).Chunk(AtOnce))
        {
            Write(key, type, some);
        }
    }

    public void Add(string key, ItemType type, string name) => Write(key, type, Text(type, name));

    public void Remove(string key, ItemType type, params string[] names)
    {
        (byte[] bytes, CollectionItem[] items) = CollectionFixture.Pack(names);
        CollectionBatch batch = new(bytes, items);
        _ = type switch
        {
            ItemType.Dictionary => cache.DictionaryDelete(StoreFixture.Bytes(key), batch),
            ItemType.Set => cache.SetRemove(StoreFixture.Bytes(key), batch),
            ItemType.List => cache.ListRemove(StoreFixture.Bytes(key), batch.NameAt(0), out _),
            _ => cache.SortedSetRemove(StoreFixture.Bytes(key), batch),
        };
    }

    /// <summary>Returns all elements of a scan, in scan order.</summary>
    public List<string> All(string key, int count, out int pages)
    {
        List<ElementPage> all = Pages(key, count);
        pages = all.Count;
        return [.. all.SelectMany(Texts)];
    }

    public List<ElementPage> Pages(string key, int count)
    {
        List<ElementPage> pages = [];
        do
        {
            byte[] cursor = pages.Count == 0 ? [] : pages[^1].Cursor;
            Assert.Equal(CollectionOutcome.Ok, cache.ScanItems(StoreFixture.Bytes(key), cursor, count, out ElementPage? page));
            pages.Add(page!);
        }
        while (pages[^1].Cursor.Length > 0);
        return pages;
    }

    public static IEnumerable<string> Texts(ElementPage page) => page.Elements.Select(each =>
    {
        string name = Encoding.UTF8.GetString(page.Bytes.Span.Slice(each.NameAt, each.NameLength));
        return page.Type switch
        {
            ItemType.Dictionary => $"{name}={Encoding.UTF8.GetString(page.Bytes.Span.Slice(each.ValueAt, each.ValueLength))}",
            ItemType.SortedSet => string.Create(CultureInfo.InvariantCulture, $"{name}:{each.Score}"),
            _ => name,
        };
    });

    private void Write(string key, ItemType type, params string[] elements)
    {
        (byte[] bytes, CollectionItem[] items) = CollectionFixture.Pack(elements);
        CollectionBatch batch = new(bytes, items);
        CollectionOutcome outcome = type switch
        {
            ItemType.Dictionary => cache.DictionarySet(StoreFixture.Bytes(key), batch, s_hour),
            ItemType.Set => cache.SetUnion(StoreFixture.Bytes(key), batch, s_hour),
            ItemType.List => cache.ListPush(StoreFixture.Bytes(key), batch, ListEnd.Back, 0, s_hour, out _),
            _ => cache.SortedSetPut(StoreFixture.Bytes(key), batch, s_hour),
        };
        Assert.Equal(CollectionOutcome.Ok, outcome);
    }
}
