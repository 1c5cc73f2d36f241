using Google.Protobuf;
using Larder.Client.Operations;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Operations;

/// <summary>Tests that the collection decoders read messages that the generated code has written. Also tests invalid server messages.</summary>
public sealed class CollectionAnswerTests
{
    private static readonly Protocol.CacheResult s_hit = Protocol.CacheResult.Hit;

    // One response of each shape, with the decoder for this shape.
    private static readonly (IMessage Answer, Func<byte[], object> Decode)[] s_shapes =
    [
        (Values((s_hit, "1"), (Protocol.CacheResult.Miss, "")), static bytes => DictionaryGetOperation.Decode(bytes)),
        (Items(("a", "1"), ("", "")), static bytes => DictionaryFetchOperation.Decode(bytes)),
        (new Protocol.SetFetchResponse { Found = Elements("a", "", "ccc") }, static bytes => SetFetchOperation.Decode(bytes)),
        (new Protocol.SetContainsResponse { Found = new() { Contains = { true, false } } }, static bytes => SetContainsOperation.Decode(bytes)),
        (new Protocol.SetDifferenceResponse { Found = new() }, static bytes => SetDifferenceOperation.Decode(bytes)),
        (new Protocol.ListPopFrontResponse { Found = new() { Value = Bytes("v"), Length = 300 } }, static bytes => ListPopFrontOperation.Decode(bytes)),
        (new Protocol.ListLengthResponse { Found = new() { Length = uint.MaxValue } }, static bytes => ListLengthOperation.Decode(bytes)),
        (Scored(("a", 1.5), ("b", double.PositiveInfinity)), static bytes => SortedSetFetchByScoreOperation.Decode(bytes)),
        (Scores((s_hit, -1), (Protocol.CacheResult.Miss, 0)), static bytes => SortedSetGetScoreOperation.Decode(bytes)),
        (new Protocol.SortedSetGetRankResponse { Part = new() { Result = s_hit, Rank = 7 } }, static bytes => SortedSetGetRankOperation.Decode(bytes)),
        (new Protocol.SortedSetIncrementResponse { Score = -2.5 }, static bytes => SortedSetIncrementOperation.Decode(bytes)),
    ];

    [Fact]
    public void Collection_decoders_return_the_contained_values()
    {
        object[] read = [.. s_shapes.Select(static shape => shape.Decode(shape.Answer.ToByteArray()))];
        Assert.Equal(["1", null], Hit<IReadOnlyList<CacheValue?>>(read[0]).ToStrings());
        IReadOnlyList<DictionaryField> items = Hit<IReadOnlyList<DictionaryField>>(read[1]);
        Assert.Equal([("a", "1"), ("", "")], items.Select(static item => (item.Field.Text, item.Value.Text)));
        Assert.Equal(["a", "", "ccc"], Hit<IReadOnlyList<CacheValue>>(read[2]).ToStrings());
        Assert.Equal([true, false], Hit<IReadOnlyList<bool>>(read[3]));
        Assert.True(Expect.Success((CacheResult<bool>)read[4]));
        PoppedElement popped = Hit<PoppedElement>(read[5]);
        Assert.Equal(("v", 300), (popped.Value.Text, popped.Length));
        // The response contains a length that exceeds the maximum of a .NET list. The decoder returns that maximum.
        Assert.Equal(int.MaxValue, Hit<int>(read[6]));
        Assert.Equal(
            [("a", 1.5), ("b", double.PositiveInfinity)],
            Hit<IReadOnlyList<ScoredElement>>(read[7]).Select(static each => (each.Value.Text, each.Score)));
        Assert.Equal([-1, null], Hit<IReadOnlyList<double?>>(read[8]));
        Assert.Equal(7, Hit<long>(read[9]));
        Assert.Equal(-2.5, Expect.Success((CacheResult<double>)read[10]));
    }

    private static T Hit<T>(object read) => Expect.Hit(Assert.IsAssignableFrom<LookupResult<T>>(read));

    [Fact]
    public void Collection_response_owns_its_memory()
    {
        byte[] bytes = s_shapes[2].Answer.ToByteArray();
        IReadOnlyList<CacheValue> hit = Expect.Hit(SetFetchOperation.Decode(bytes));
        bytes.AsSpan().Fill(255);
        Assert.Equal(["a", "", "ccc"], hit.ToStrings());
    }

    [Fact]
    public void Missing_collection_decodes_as_a_miss()
    {
        Expect.Miss(SetFetchOperation.Decode(new Protocol.SetFetchResponse { Missing = new() }.ToByteArray()));
        Expect.Miss(SortedSetFetchByRankOperation.Decode(new Protocol.SortedSetFetchResponse { Missing = new() }.ToByteArray()));
        Protocol.SortedSetGetRankResponse unknown = new() { Part = new() { Result = Protocol.CacheResult.Miss } };
        Expect.Miss(SortedSetGetRankOperation.Decode(unknown.ToByteArray()));
        Expect.Miss(SortedSetGetRankOperation.Decode(new Protocol.SortedSetGetRankResponse { Missing = new() }.ToByteArray()));
    }

    [Fact]
    public void SetContains_flags_may_be_packed_or_unpacked()
    {
        // The response is found { contains: true, contains: false }. Each element is encoded as a separate field.
        byte[] single = [0x0A, 0x04, 0x08, 0x01, 0x08, 0x00];
        Assert.Equal([true, false], Expect.Hit(SetContainsOperation.Decode(single)));
    }

    [Fact]
    public void Collection_response_with_wrong_structure_throws_FormatException()
    {
        Assert.Throws<FormatException>(() => DictionaryGetOperation.Decode([]));
        Assert.Throws<FormatException>(() => SetPopOperation.Decode([0x1A, 0x00]));
        Assert.Throws<FormatException>(() => DictionaryGetOperation.Decode(Values((Protocol.CacheResult.Ok, "1")).ToByteArray()));
        Assert.Throws<FormatException>(() => DictionaryGetOperation.Decode(Values((Protocol.CacheResult.Invalid, "")).ToByteArray()));
        Assert.Throws<FormatException>(() => SortedSetGetScoreOperation.Decode(Scores(((Protocol.CacheResult)9, 1)).ToByteArray()));
        Assert.Throws<FormatException>(() => SortedSetGetRankOperation.Decode(new Protocol.SortedSetGetRankResponse { Part = new() }.ToByteArray()));
        // In the first response, the requested scores are missing. In the second one, both scores and values are missing.
        Protocol.SortedSetFetchResponse values = new() { Found = new() { Values = new() { Values_ = { Bytes("a") } } } };
        Assert.Throws<FormatException>(() => SortedSetFetchByRankOperation.Decode(values.ToByteArray()));
        Assert.Throws<FormatException>(() => SortedSetFetchByRankOperation.Decode(new Protocol.SortedSetFetchResponse { Found = new() }.ToByteArray()));
    }

    [Fact]
    public void Damaged_collection_response_decodes_or_throws_FormatException()
    {
        Random random = new(7);
        foreach ((IMessage answer, Func<byte[], object> decode) in s_shapes)
        {
            byte[] whole = answer.ToByteArray();
            for (int round = 0; round < 2_000; round++)
            {
                byte[] bytes = round < whole.Length ? whole[..round] : [.. whole];
                for (int changes = round % 4; changes > 0 && bytes.Length > 0; changes--)
                {
                    bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
                }

                AssertReadOrRefused(decode, bytes);
                random.NextBytes(bytes);
                AssertReadOrRefused(decode, bytes);
            }
        }

        static void AssertReadOrRefused(Func<byte[], object> decode, byte[] bytes)
        {
            try
            {
                Assert.NotNull(decode(bytes));
            }
            catch (FormatException)
            {
                // The decoder may reject an invalid message only with this exception, which fails the call.
            }
        }
    }

    private static ByteString Bytes(string text) => ByteString.CopyFromUtf8(text);

    private static Protocol.ElementsFound Elements(params string[] elements) => new() { Elements = { elements.Select(Bytes) } };

    private static Protocol.DictionaryGetResponse Values(params (Protocol.CacheResult Result, string Value)[] parts) => new()
    {
        Found = new()
        {
            Parts = { parts.Select(static part => new Protocol.DictionaryGetResponse.Types.Part { Result = part.Result, Value = Bytes(part.Value) }) },
        },
    };

    private static Protocol.DictionaryFetchResponse Items(params (string Field, string Value)[] items) => new()
    {
        Found = new() { Items = { items.Select(static item => new Protocol.DictionaryItem { Field = Bytes(item.Field), Value = Bytes(item.Value) }) } },
    };

    private static Protocol.SortedSetFetchResponse Scored(params (string Value, double Score)[] elements) => new()
    {
        Found = new()
        {
            WithScores = new()
            {
                Elements = { elements.Select(static each => new Protocol.SortedSetElement { Value = Bytes(each.Value), Score = each.Score }) },
            },
        },
    };

    private static Protocol.SortedSetGetScoreResponse Scores(params (Protocol.CacheResult Result, double Score)[] parts) => new()
    {
        Found = new()
        {
            Parts = { parts.Select(static part => new Protocol.SortedSetGetScoreResponse.Types.Part { Result = part.Result, Score = part.Score }) },
        },
    };
}
