using System.Text;
using Larder.Store.Collections;

namespace Larder.Store.Tests.Collections;

/// <summary>Operations on collections of a <see cref="StoreFixture"/>, with text for names and values.</summary>
internal sealed class CollectionFixture(StoreFixture store) : IDisposable
{
    private static readonly CollectionTtl s_hour = new(StoreFixture.Hour, Refresh: true);

    public CollectionFixture(long maxMemoryBytes = 64L << 20, int shards = 1)
        : this(new StoreFixture(maxMemoryBytes, shards))
    {
    }

    public StoreFixture Store => store;

    public Cache Cache => Store.Cache;

    /// <summary>Packs elements into a batch. Each text is a field with its value ("f=v"), a member with its score ("m:1.5"), or a name.</summary>
    public static (byte[] Bytes, CollectionItem[] Items) Pack(params string[] items)
    {
        using var bytes = new MemoryStream();
        CollectionItem[] packed = new CollectionItem[items.Length];
        for (int i = 0; i < items.Length; i++)
        {
            int equals = items[i].IndexOf('=', StringComparison.Ordinal);
            int colon = items[i].IndexOf(':', StringComparison.Ordinal);
            string name = equals >= 0 ? items[i][..equals] : colon >= 0 ? items[i][..colon] : items[i];
            string value = equals >= 0 ? items[i][(equals + 1)..] : "";
            double score = colon >= 0 ? double.Parse(items[i][(colon + 1)..], System.Globalization.CultureInfo.InvariantCulture) : 0;
            int at = (int)bytes.Length;
            bytes.Write(Encoding.UTF8.GetBytes(name));
            int valueAt = (int)bytes.Length;
            bytes.Write(Encoding.UTF8.GetBytes(value));
            packed[i] = new CollectionItem(at, valueAt - at, valueAt, (int)bytes.Length - valueAt, score);
        }

        return (bytes.ToArray(), packed);
    }

    public CollectionOutcome SetFields(string key, CollectionTtl ttl, params string[] fields)
    {
        (byte[] bytes, CollectionItem[] items) = Pack(fields);
        return Cache.DictionarySet(StoreFixture.Bytes(key), new CollectionBatch(bytes, items), ttl);
    }

    public CollectionOutcome SetFields(string key, params string[] fields) => SetFields(key, s_hour, fields);

    public string GetFields(string key, params string[] fields)
    {
        (byte[] bytes, CollectionItem[] items) = Pack(fields);
        TextSink sink = new([]);
        return sink.Text(Cache.DictionaryGet(StoreFixture.Bytes(key), new CollectionBatch(bytes, items), AnswerLimit.None, ref sink));
    }

    public string FetchFields(string key)
    {
        TextSink sink = new([]);
        return sink.Text(Cache.DictionaryFetch(StoreFixture.Bytes(key), AnswerLimit.None, ref sink));
    }

    public CollectionOutcome AddMembers(string key, params string[] members)
    {
        (byte[] bytes, CollectionItem[] items) = Pack(members);
        return Cache.SetUnion(StoreFixture.Bytes(key), new CollectionBatch(bytes, items), s_hour);
    }

    public string FetchMembers(string key)
    {
        TextSink sink = new([]);
        CollectionOutcome outcome = Cache.SetFetch(StoreFixture.Bytes(key), AnswerLimit.None, ref sink);
        sink.Shown.Sort(StringComparer.Ordinal);
        return sink.Text(outcome);
    }

    public long Push(string key, ListEnd end, uint truncateTo, params string[] elements)
    {
        (byte[] bytes, CollectionItem[] items) = Pack(elements);
        CollectionOutcome outcome = Cache.ListPush(StoreFixture.Bytes(key), new CollectionBatch(bytes, items), end, truncateTo, s_hour, out long length);
        Assert.Equal(CollectionOutcome.Ok, outcome);
        return length;
    }

    public string Pop(string key, ListEnd end)
    {
        TextSink sink = new([]);
        return sink.Text(Cache.ListPop(StoreFixture.Bytes(key), end, AnswerLimit.None, ref sink, out _));
    }

    public string Fetch(string key, int? start = null, int? end = null)
    {
        TextSink sink = new([]);
        return sink.Text(Cache.ListFetch(StoreFixture.Bytes(key), new ListSlice(start, end), AnswerLimit.None, ref sink));
    }

    public CollectionOutcome Put(string key, params string[] members)
    {
        (byte[] bytes, CollectionItem[] items) = Pack(members);
        return Cache.SortedSetPut(StoreFixture.Bytes(key), new CollectionBatch(bytes, items), s_hour);
    }

    public string FetchByIndex(string key, int? start = null, int? end = null, SortedSetOrder order = SortedSetOrder.Ascending)
    {
        TextSink sink = new([]);
        return sink.Text(Cache.SortedSetFetchByIndex(StoreFixture.Bytes(key), new ListSlice(start, end), order, AnswerLimit.None, ref sink));
    }

    public string FetchByScore(string key, ScoreRange range, uint offset = 0, int count = -1, SortedSetOrder order = SortedSetOrder.Ascending)
    {
        TextSink sink = new([]);
        return sink.Text(Cache.SortedSetFetchByScore(StoreFixture.Bytes(key), range, offset, count, order, AnswerLimit.None, ref sink));
    }

    public void Dispose() => Store.Dispose();
}
