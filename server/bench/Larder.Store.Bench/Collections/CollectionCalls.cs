using System.Globalization;
using System.Text;
using Larder.Store.Collections;

namespace Larder.Store.Bench;

/// <summary>The benchmarked calls on one dictionary, list and sorted set of a given size, and the equivalent Redis commands.</summary>
internal sealed class CollectionCalls(Cache cache, int elements)
{
    public const int ValueBytes = 100;
    private const int NameBytes = StoreContender.KeyBytes;

    // A prime, so steps of this size visit all elements of every measured collection, and successive elements are far apart.
    private const long Step = 7919;

    private static readonly CollectionTtl s_ttl = new(3_600_000, Refresh: false);
    private static readonly byte[] s_value = [.. Enumerable.Repeat((byte)'v', ValueBytes)];
    private static readonly string s_text = Encoding.ASCII.GetString(s_value);

    private readonly byte[] _name = new byte[NameBytes];
    private readonly byte[] _item = [.. new byte[NameBytes], .. s_value];

    public int Elements => elements;

    public void SetField(long number) => SetField("d"u8, number, ValueBytes);

    public void SetField(ReadOnlySpan<byte> key, long number, int valueBytes)
    {
        Format(number);
        Stored(cache.DictionarySet(key, new CollectionBatch(_item, [new CollectionItem(0, NameBytes, NameBytes, valueBytes)]), s_ttl));
    }

    public void GetField(long number)
    {
        Format(number);
        LastLength sink = default;
        Stored(cache.DictionaryGet("d"u8, new CollectionBatch(_item, [new CollectionItem(0, NameBytes)]), AnswerLimit.None, ref sink));
    }

    public void Push(ReadOnlySpan<byte> key, int valueBytes = ValueBytes) =>
        Stored(cache.ListPush(key, new CollectionBatch(s_value, [new CollectionItem(0, valueBytes)]), ListEnd.Back, 0, s_ttl, out _));

    public void PushOrPop(long number)
    {
        if (number % 2 == 0)
        {
            Push("l"u8);
            return;
        }

        Pop("l"u8);
    }

    public void Pop(ReadOnlySpan<byte> key)
    {
        LastLength sink = default;
        Stored(cache.ListPop(key, ListEnd.Front, AnswerLimit.None, ref sink, out _));
    }

    public void Add(ReadOnlySpan<byte> key, long number)
    {
        Format(number);
        Stored(cache.SetUnion(key, new CollectionBatch(_item, [new CollectionItem(0, NameBytes)]), s_ttl));
    }

    public void Put(long number) => Put("z"u8, number);

    public void Put(ReadOnlySpan<byte> key, long number)
    {
        Format(number);
        Stored(cache.SortedSetPut(key, new CollectionBatch(_item, [new CollectionItem(0, NameBytes, Score: Score(number))]), s_ttl));
    }

    public void Rank(long number)
    {
        Format(number);
        Stored(cache.SortedSetGetRank("z"u8, _item.AsSpan(0, NameBytes), SortedSetOrder.Ascending, out _));
    }

    public byte[] HashSet(long number) => HashSet("d", number, ValueBytes);

    public byte[] HashSet(string key, long number, int valueBytes) => RedisSocket.Command("HSET", key, Name(number), s_text[..valueBytes]);

    public byte[] HashGet(long number) => RedisSocket.Command("HGET", "d", Name(number));

    public static byte[] ListPush(string key, int valueBytes = ValueBytes) => RedisSocket.Command("RPUSH", key, s_text[..valueBytes]);

    public static byte[] ListPushOrPop(long number) => number % 2 == 0 ? ListPush("l") : RedisSocket.Command("LPOP", "l");

    public byte[] SetAdd(string key, long number) => RedisSocket.Command("SADD", key, Name(number));

    public byte[] SortedSetAdd(long number) => SortedSetAdd("z", number);

    public byte[] SortedSetAdd(string key, long number) =>
        RedisSocket.Command("ZADD", key, Score(number).ToString(CultureInfo.InvariantCulture), Name(number));

    public byte[] SortedSetRank(long number) => RedisSocket.Command("ZRANK", "z", Name(number));

    /// <summary>Fills the three collections in the store and in Redis.</summary>
    public void Fill(RedisSocket redis)
    {
        for (int i = 0; i < elements; i += RedisSocket.Pipeline)
        {
            int first = i;
            redis.Send(RedisSocket.Pipelined(n => HashSet(first + n)), RedisSocket.Pipeline);
            redis.Send(RedisSocket.Pipelined(_ => ListPush("l")), RedisSocket.Pipeline);
            redis.Send(RedisSocket.Pipelined(n => SortedSetAdd(first + n)), RedisSocket.Pipeline);
        }

        for (int i = 0; i < elements; i++)
        {
            SetField(i);
            Push("l"u8);
            Put(i);
        }
    }

    private static void Stored(CollectionOutcome outcome) => Invariant.Holds(outcome == CollectionOutcome.Ok, "the call is done");

    private long Number(long number) => number * Step % elements;

    private double Score(long number) => number * Step * 31 % elements;

    private string Name(long number) => Encoding.ASCII.GetString(Formatted(number));

    private void Format(long number) => Formatted(number).CopyTo(_item.AsSpan());

    private ReadOnlySpan<byte> Formatted(long number)
    {
        StoreContender.FormatKey((int)Number(number), _name);
        return _name;
    }

    private struct LastLength : ICollectionSink
    {
        private int _length;

        public void Begin(long elements) => _length = 0;

        public void Accept(in CollectionElement element) => _length = element.Value.Length;
    }
}
