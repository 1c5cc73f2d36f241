using Google.Protobuf;
using Larder.Client.Leases;
using Larder.Client.Operations;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Operations;

/// <summary>Tests that the handwritten decoders read messages that the generated code has written.</summary>
public sealed class AnswerTests
{
    [Fact]
    public void Get_response_decodes_a_hit_or_a_miss()
    {
        byte[] value = [.. Enumerable.Range(0, 300).Select(index => (byte)index)];
        CacheValue hit = Expect.Hit(
            GetOperation.Decode(
                new Protocol.GetResponse
                {
                    Result = Protocol.CacheResult.Hit,
                    Value = ByteString.CopyFrom(value),
                    Message = "unread",
                }.ToByteArray()));
        Assert.Equal(value, hit.ToArray());
        Expect.Miss(GetOperation.Decode(new Protocol.GetResponse { Result = Protocol.CacheResult.Miss }.ToByteArray()));
    }

    [Fact]
    public void Get_response_with_an_empty_value_is_a_hit() =>
        Assert.Equal(
            "",
            Expect.Hit(GetOperation.Decode(new Protocol.GetResponse { Result = Protocol.CacheResult.Hit }.ToByteArray())).Text);

    [Fact]
    public void Response_outcome_is_decoded_from_its_field()
    {
        Expect.Success(SetOperation.Decode(new Protocol.SetResponse { Result = Protocol.CacheResult.Ok }.ToByteArray()));
        Expect.Stored(SetIfOperation.Decode(new Protocol.SetIfResponse { Stored = new() }.ToByteArray()));
        Expect.NotStored(SetIfOperation.Decode(new Protocol.SetIfResponse { NotStored = new() }.ToByteArray()));
        Assert.True(Expect.Hit(UpdateTtlOperation.Decode(new Protocol.UpdateTtlResponse { Set = new() }.ToByteArray())));
        Assert.False(Expect.Hit(UpdateTtlOperation.Decode(new Protocol.UpdateTtlResponse { NotSet = new() }.ToByteArray())));
        Expect.Miss(UpdateTtlOperation.Decode(new Protocol.UpdateTtlResponse { Missing = new() }.ToByteArray()));
        Expect.Miss(ItemGetTtlOperation.Decode(new Protocol.ItemGetTtlResponse { Missing = new() }.ToByteArray()));
        Expect.Miss(ItemGetTypeOperation.Decode(new Protocol.ItemGetTypeResponse { Missing = new() }.ToByteArray()));
        Expect.NotStored(SetIfHashOperation.Decode(new Protocol.SetIfHashResponse { NotStored = new() }.ToByteArray()));
        Expect.Miss(GetWithHashOperation.Decode(new Protocol.GetWithHashResponse { Missing = new() }.ToByteArray()));
    }

    [Fact]
    public void Response_decoders_return_the_contained_values()
    {
        Assert.Equal(
            -5,
            Expect.Success(IncrementOperation.Decode(new Protocol.IncrementResponse { Value = -5 }.ToByteArray())));
        Assert.Equal(
            TimeSpan.FromMilliseconds(1_234),
            Expect.Hit(
                ItemGetTtlOperation.Decode(new Protocol.ItemGetTtlResponse { Found = new() { RemainingMs = 1_234 } }.ToByteArray())));
        Assert.Equal(
            CacheItemType.SortedSet,
            Expect.Hit(
                ItemGetTypeOperation.Decode(
                        new Protocol.ItemGetTypeResponse { Found = new() { Type = Protocol.ItemGetTypeResponse.Types.ItemType.SortedSet } }.ToByteArray())));
        HashedValue hit = Expect.Hit(
            GetWithHashOperation.Decode(
                new Protocol.GetWithHashResponse
                {
                    Found = new() { Value = ByteString.CopyFromUtf8("v"), Hash = ByteString.CopyFromUtf8("h") },
                }.ToByteArray()));
        Assert.Equal("v", hit.Value.Text);
        Assert.Equal("h"u8.ToArray(), hit.Hash.ToArray());
        Assert.Equal(
            "n"u8.ToArray(),
            Expect.Stored(
                SetIfHashOperation.Decode(
                    new Protocol.SetIfHashResponse { Stored = new() { NewHash = ByteString.CopyFromUtf8("n") } }.ToByteArray())).ToArray());
    }

    [Fact]
    public void KeysExist_response_keeps_the_order_of_flags()
    {
        Protocol.KeysExistResponse answer = new();
        answer.Exists.AddRange([true, false, true]);
        Assert.Equal([true, false, true], Expect.Success(KeysExistOperation.Decode(answer.ToByteArray())));
    }

    [Fact]
    public void Batch_response_in_one_message_is_decoded_in_order()
    {
        Protocol.GetBatchResult answer = new();
        answer.Responses.Add(new Protocol.GetResponse { Result = Protocol.CacheResult.Hit, Value = ByteString.CopyFromUtf8("1") });
        answer.Responses.Add(new Protocol.GetResponse { Result = Protocol.CacheResult.Miss });
        IReadOnlyList<LookupResult<CacheValue>> success = Expect.Success(GetBatchOperation.Decode(answer.ToByteArray()));
        Assert.Collection(success, first => Expect.Hit(first), second => Expect.Miss(second));
    }

    [Fact]
    public void Batch_stream_with_a_wrong_number_of_responses_throws()
    {
        byte[] miss = new Protocol.GetResponse { Result = Protocol.CacheResult.Miss }.ToByteArray();
        IAnswerCollector<CacheResult<IReadOnlyList<LookupResult<CacheValue>>>> collector = GetBatchOperation.Collect(new GetBatchOperation(["a", "b"]))!;
        collector.Add(miss);
        Assert.Throws<FormatException>(collector.Finish);
        collector.Add(miss);
        Assert.Throws<FormatException>(() => collector.Add(miss));
        Assert.Equal(2, Expect.Success(collector.Finish()).Count);
    }

    [Fact]
    public void ListCaches_response_contains_the_cache_limits()
    {
        Protocol.ListCachesResponse answer = new();
        answer.Caches.Add(
            new Protocol.CacheInfo
            {
                Name = "c",
                CacheLimits = new() { MaxItemSizeKb = 4_883, MaxTtlSeconds = 86_400 },
            });
        Assert.Equal(
            new CacheInfo("c", 4_883, TimeSpan.FromDays(1)),
            Assert.Single(Expect.Success(ListCachesOperation.Decode(answer.ToByteArray()))));
    }

    [Theory]
    [InlineData(new byte[] { 0x0A })]
    [InlineData(new byte[] { 0x0A, 0x05, 0x01 })]
    [InlineData(new byte[] { 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF })]
    [InlineData(new byte[] { 0x0B })]
    public void Malformed_response_throws_FormatException(byte[] payload)
    {
        Assert.Throws<FormatException>(() => GetOperation.Decode(payload));
        Assert.Throws<FormatException>(() => SetIfOperation.Decode(payload));
        Assert.Throws<FormatException>(() => KeysExistOperation.Decode(payload));
        Assert.Throws<FormatException>(() => DeleteOperation.Decode(payload));
    }

    [Fact]
    public void Response_without_an_outcome_throws_FormatException()
    {
        Assert.Throws<FormatException>(() => GetOperation.Decode([]));
        Assert.Throws<FormatException>(() => SetOperation.Decode([]));
        Assert.Throws<FormatException>(() => UpdateTtlOperation.Decode([]));
    }

    [Fact]
    public void GetOrLease_response_without_a_token_throws_FormatException()
    {
        Protocol.GetOrLeaseResponse lease = new() { Lease = new() { Token = ByteString.CopyFromUtf8("t") } };
        Assert.IsType<LeaseAnswer.Granted>(GetOrLeaseOperation.Decode(lease.ToByteArray()));
        lease.Lease.Token = ByteString.Empty;
        Assert.Throws<FormatException>(() => GetOrLeaseOperation.Decode(lease.ToByteArray()));
        Assert.Throws<FormatException>(() => GetOrLeaseOperation.Decode([]));
    }
}
