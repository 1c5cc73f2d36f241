using System.Text;
using Google.Protobuf;
using Larder.Client.Operations;
using Larder.Wire.Protobuf;

namespace Larder.Client.Tests.Operations;

/// <summary>Tests that the generated code reads messages that the handwritten encoders have written.</summary>
public sealed class RequestTests
{
    // Lengths around the limits at which the length prefix (a varint) needs another byte.
    public static TheoryData<int> Lengths => [1, 2, 127, 128, 16_383, 16_384, 70_000];

    [Theory]
    [MemberData(nameof(Lengths))]
    public void Single_key_requests_encode_their_key(int length)
    {
        byte[] key = Bytes(length);
        Assert.Equal(key, Parse(Protocol.GetRequest.Parser, new GetOperation(key), default(LookupResult<CacheValue>)).Key);
        Assert.Equal(key, Parse(Protocol.DeleteRequest.Parser, new DeleteOperation(key), default(CacheResult)).Key);
        Assert.Equal(key, Parse(Protocol.GetWithHashRequest.Parser, new GetWithHashOperation(key), default(LookupResult<HashedValue>)).Key);
        Assert.Equal(key, Parse(Protocol.ItemGetTtlRequest.Parser, new ItemGetTtlOperation(key), default(LookupResult<TimeSpan>)).Key);
        Assert.Equal(key, Parse(Protocol.ItemGetTypeRequest.Parser, new ItemGetTypeOperation(key), default(LookupResult<CacheItemType>)).Key);
        Assert.Equal(key, Assert.Single(Parse(Protocol.KeysExistRequest.Parser, new KeyExistsOperation(key), default(CacheResult<bool>)).Keys));
    }

    [Theory]
    [MemberData(nameof(Lengths))]
    public void Set_request_encodes_key_value_and_ttl(int length)
    {
        Protocol.SetRequest read = Parse(Protocol.SetRequest.Parser, new SetOperation("k", Bytes(length), (ulong)length), default(CacheResult));
        Assert.Equal(("k", (ulong)length), (read.Key.ToStringUtf8(), read.TtlMs));
        Assert.Equal(Bytes(length), read.Value);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(-1)]
    [InlineData(long.MaxValue)]
    [InlineData(long.MinValue)]
    public void Increment_request_encodes_any_amount(long amount)
    {
        Protocol.IncrementRequest read = Parse(
            Protocol.IncrementRequest.Parser,
            new IncrementOperation("n", amount, 86_400_000, keepTtl: false),
            default(CacheResult<long>));
        Assert.Equal(("n", amount, 86_400_000UL), (read.Key.ToStringUtf8(), read.Amount, read.TtlMs));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void INC10_increment_request_encodes_KeepTtl(bool keepTtl)
    {
        Protocol.IncrementRequest read = Parse(
            Protocol.IncrementRequest.Parser,
            new IncrementOperation("n", 1, 31_536_000_000, keepTtl),
            default(CacheResult<long>));
        Assert.Equal((keepTtl, 31_536_000_000UL), (read.KeepTtl, read.TtlMs));
    }

    [Theory]
    [InlineData(SetIfCondition.Present)]
    [InlineData(SetIfCondition.Absent)]
    [InlineData(SetIfCondition.Equal)]
    [InlineData(SetIfCondition.NotEqual)]
    [InlineData(SetIfCondition.PresentAndNotEqual)]
    [InlineData(SetIfCondition.AbsentOrEqual)]
    internal void SetIf_request_encodes_its_condition(SetIfCondition condition)
    {
        Protocol.SetIfRequest read = Parse(Protocol.SetIfRequest.Parser, new SetIfOperation("k", "v", 5, condition, "other"), default(SetIfResult));
        Assert.Equal((int)condition, (int)read.ConditionCase);
        Assert.Equal(("k", "v", 5UL), (read.Key.ToStringUtf8(), read.Value.ToStringUtf8(), read.TtlMs));
        Protocol.Comparand? comparand = read.Equal ?? read.NotEqual ?? read.PresentAndNotEqual ?? read.AbsentOrEqual;
        Assert.Equal(condition is SetIfCondition.Present or SetIfCondition.Absent ? null : "other", comparand?.Value.ToStringUtf8());
    }

    [Theory]
    [InlineData(SetIfHashCondition.PresentAndHashEqual)]
    [InlineData(SetIfHashCondition.PresentAndNotHashEqual)]
    [InlineData(SetIfHashCondition.AbsentOrHashEqual)]
    [InlineData(SetIfHashCondition.AbsentOrNotHashEqual)]
    [InlineData(SetIfHashCondition.Unconditional)]
    internal void SetIfHash_request_encodes_its_condition(SetIfHashCondition condition)
    {
        Protocol.SetIfHashRequest read = Parse(
            Protocol.SetIfHashRequest.Parser,
            new SetIfHashOperation("k", "v", 5, condition, "hash"),
            default(SetIfHashResult));
        Assert.Equal((int)condition, (int)read.ConditionCase);
        Protocol.HashComparand? comparand = read.PresentAndHashEqual ?? read.PresentAndNotHashEqual ?? read.AbsentOrHashEqual ?? read.AbsentOrNotHashEqual;
        Assert.Equal(condition == SetIfHashCondition.Unconditional ? null : "hash", comparand?.Hash.ToStringUtf8());
    }

    [Theory]
    [InlineData(UpdateTtlChange.IncreaseTo)]
    [InlineData(UpdateTtlChange.DecreaseTo)]
    [InlineData(UpdateTtlChange.OverwriteTo)]
    internal void UpdateTtl_request_encodes_each_kind_of_ttl_change(UpdateTtlChange change)
    {
        Protocol.UpdateTtlRequest read = Parse(Protocol.UpdateTtlRequest.Parser, new UpdateTtlOperation("k", change, 300), default(LookupResult<bool>));
        Assert.Equal((int)change, (int)read.ChangeCase);
        Assert.Equal(300UL, read.IncreaseToMs + read.DecreaseToMs + read.OverwriteToMs);
    }

    [Fact]
    public void Batch_requests_encode_their_items_in_order()
    {
        Protocol.GetBatchRequest gets = Parse(
            Protocol.GetBatchRequest.Parser,
            new GetBatchOperation(["a", "b", Bytes(200)]),
            default(CacheResult<IReadOnlyList<LookupResult<CacheValue>>>));
        Assert.Equal(["a", "b"], gets.Items.Take(2).Select(item => item.Key.ToStringUtf8()));
        Protocol.SetBatchRequest sets = Parse(
            Protocol.SetBatchRequest.Parser,
            new SetBatchOperation([new("a", "1"), new("b", Bytes(200), TimeSpan.FromSeconds(2))], 777),
            default(CacheResult<IReadOnlyList<CacheResult>>));
        Assert.Equal([("a", 777UL), ("b", 2_000UL)], sets.Items.Select(item => (item.Key.ToStringUtf8(), item.TtlMs)));
        Protocol.KeysExistRequest keys = Parse(Protocol.KeysExistRequest.Parser, new KeysExistOperation(["x", "y"]), default(CacheResult<IReadOnlyList<bool>>));
        Assert.Equal(["x", "y"], keys.Keys.Select(key => key.ToStringUtf8()));
    }

    [Fact]
    public void Control_requests_encode_the_cache_name()
    {
        Assert.Equal("c", Parse(Protocol.CreateCacheRequest.Parser, new CreateCacheOperation("c"), default(CacheResult)).Name);
        Assert.Equal("c", Parse(Protocol.DeleteCacheRequest.Parser, new DeleteCacheOperation("c"), default(CacheResult)).Name);
        Assert.Equal("c", Parse(Protocol.FlushCacheRequest.Parser, new FlushCacheOperation("c"), default(CacheResult)).Name);
    }

    [Fact]
    public void Keys_are_encoded_as_UTF8_text_or_memory_slices()
    {
        Assert.Equal("ключ🙂", Parse(Protocol.GetRequest.Parser, new GetOperation("ключ🙂"), default(LookupResult<CacheValue>)).Key.ToStringUtf8());
        ReadOnlyMemory<byte> slice = Encoding.ASCII.GetBytes("abcdef").AsMemory(2, 3);
        Assert.Equal("cde", Parse(Protocol.GetRequest.Parser, new GetOperation(slice), default(LookupResult<CacheValue>)).Key.ToStringUtf8());
    }

    private static TMessage Parse<TMessage, TOperation, TResponse>(MessageParser<TMessage> parser, TOperation operation, TResponse? _)
        where TMessage : IMessage<TMessage>
        where TOperation : IOperation<TOperation, TResponse>
        where TResponse : class
    {
        byte[] encoded = new byte[operation.Measure()];
        ProtoWriter writer = new(encoded);
        operation.Write(ref writer);
        Assert.Equal(encoded.Length, writer.Written);
        return parser.ParseFrom(encoded);
    }

    private static byte[] Bytes(int length) => [.. Enumerable.Range(0, length).Select(index => (byte)index)];
}
