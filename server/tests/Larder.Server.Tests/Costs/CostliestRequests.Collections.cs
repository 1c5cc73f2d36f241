using Google.Protobuf;
using Larder.Protocol;

namespace Larder.Server.Tests.Costs;

/// <summary>The costliest requests on collections.</summary>
internal static partial class CostliestRequests
{
    // The number of unions per message. A union of three sets takes about 0.3 s.
    private const int UnionRepeats = 8;

    private static DictionarySetRequest DictionarySet()
    {
        DictionarySetRequest set = new() { Name = Bytes("dictionary"), TtlMs = TtlMs };
        set.Items.AddRange(s_elements.Select(static element => new DictionaryItem { Field = element, Value = element }));
        return set;
    }

    private static SortedSetPutRequest SortedSetPut()
    {
        SortedSetPutRequest put = new() { Name = Bytes("sorted-set"), TtlMs = TtlMs };
        put.Elements.AddRange(s_elements.Select(static (element, number) => new SortedSetElement { Value = element, Score = number }));
        return put;
    }

    private static void AddDictionaries(Dictionary<string, CostliestCall> all)
    {
        ByteString name = Bytes("dictionary");
        void Add(string rpc, IMessage request, string outcome = CostliestCall.Done, bool isLargeAnswer = false) => all[Scs + rpc] = new(request, outcome)
        {
            Before = [s_dictionary],
            PipelinedOutcome = isLargeAnswer ? CostliestCall.UseUnary : outcome,
        };

        Add("DictionaryGet", new DictionaryGetRequest { Name = name, Fields = { s_elements } }, "found", isLargeAnswer: true);
        Add("DictionaryFetch", new DictionaryFetchRequest { Name = name }, "found", isLargeAnswer: true);
        Add("DictionarySet", s_dictionary.Item2);
        Add("DictionaryIncrement", new DictionaryIncrementRequest { Name = name, Field = Bytes("number"), Amount = 1, TtlMs = TtlMs });
        Add("DictionaryDelete", new DictionaryDeleteRequest { Name = name, Some = new() { Fields = { s_elements } } });
        Add("DictionaryLength", new DictionaryLengthRequest { Name = name }, "found");
    }

    private static void AddSets(Dictionary<string, CostliestCall> all)
    {
        ByteString name = Bytes("set");
        void Add(string rpc, IMessage request, string outcome = CostliestCall.Done, bool isLargeAnswer = false, int repeats = 1) =>
            all[Scs + rpc] = new(request, outcome)
            {
                Before = [s_set],
                PipelinedOutcome = isLargeAnswer ? CostliestCall.UseUnary : outcome,
                Repeats = repeats,
            };

        Add("SetFetch", new SetFetchRequest { Name = name }, "found", isLargeAnswer: true);
        // The limit is the number of elements that fit into a response of 64 KB.
        Add("SetSample", new SetSampleRequest { Name = name, Limit = 3_000 }, "found", repeats: 2_000);
        Add("SetUnion", s_set.Item2);
        Add("SetDifference", new SetDifferenceRequest { Name = name, Subtrahend = new() { Set = new() { Elements_ = { s_elements } } } }, "found");
        Add("SetContains", new SetContainsRequest { Name = name, Elements = { s_elements } }, "found");
        Add("SetLength", new SetLengthRequest { Name = name }, "found");
        // A pop removes only the elements that fit into its response.
        Add("SetPop", new SetPopRequest { Name = name, Count = 3_000 }, "found");
    }

    private static void AddLists(Dictionary<string, CostliestCall> all)
    {
        ByteString name = Bytes("list");
        void Add(string rpc, IMessage request, string outcome = CostliestCall.Done, bool isLargeAnswer = false, int repeats = 1) =>
            all[Scs + rpc] = new(request, outcome)
            {
                Before = [(Scs + "Delete", new DeleteRequest { Key = name }), s_list],
                PipelinedOutcome = isLargeAnswer ? CostliestCall.UseUnary : outcome,
                Repeats = repeats,
            };

        ByteString value = ByteString.CopyFrom(new byte[1_000_000]);
        Add("ListPushFront", new ListPushFrontRequest { Name = name, Value = value, TtlMs = TtlMs, TruncateBackToSize = 1 });
        Add("ListPushBack", new ListPushBackRequest { Name = name, Value = value, TtlMs = TtlMs, TruncateFrontToSize = 1 });
        Add("ListConcatenateFront", new ListConcatenateFrontRequest { Name = name, Values = { s_elements }, TtlMs = TtlMs, TruncateBackToSize = Elements });
        Add("ListConcatenateBack", s_list.Item2);
        Add("ListPopFront", new ListPopFrontRequest { Name = name }, "found");
        Add("ListPopBack", new ListPopBackRequest { Name = name }, "found");
        Add("ListFetch", new ListFetchRequest { Name = name, UnboundedStart = new(), UnboundedEnd = new() }, "found", isLargeAnswer: true);
        Add("ListRetain", new ListRetainRequest { Name = name, InclusiveStart = Elements / 2, ExclusiveEnd = (Elements / 2) + 1, TtlMs = TtlMs }, "found");
        Add("ListRemove", new ListRemoveRequest { Name = name, AllWithValue = Bytes("element-absent") }, "found", repeats: 2_000);
        ListEraseRequest erase = new() { Name = name, Some = new() };
        // Erase every second element.
        erase.Some.Ranges.AddRange(Enumerable.Range(0, Elements / 2)
            .Select(static number => new ListEraseRequest.Types.Range { Begin = 2 * (uint)number, Count = 1 }));
        Add("ListErase", erase, "found");
        Add("ListLength", new ListLengthRequest { Name = name }, "found");
    }

    private static void AddSortedSets(Dictionary<string, CostliestCall> all)
    {
        ByteString name = Bytes("sorted-set");
        void Add(string rpc, IMessage request, string outcome = CostliestCall.Done, bool isLargeAnswer = false, int repeats = 1) =>
            all[Scs + rpc] = new(request, outcome)
            {
                Before = [s_sortedSet],
                PipelinedOutcome = isLargeAnswer ? CostliestCall.UseUnary : outcome,
                Repeats = repeats,
            };

        SortedSetFetchRequest fetch = new()
        {
            Name = name,
            Order = SortedSetOrder.Descending,
            WithScores = true,
            ByScore = new() { UnboundedMin = new(), UnboundedMax = new(), Count = -1 },
        };
        SortedSetUnionStoreRequest union = new() { Name = Bytes("union"), TtlMs = TtlMs };
        union.Sources.AddRange(Enumerable.Repeat(new SortedSetUnionStoreRequest.Types.Source { Name = name, Weight = 0.5f }, 3));
        Add("SortedSetPut", s_sortedSet.Item2);
        Add("SortedSetFetch", fetch, "found", isLargeAnswer: true);
        Add("SortedSetGetScore", new SortedSetGetScoreRequest { Name = name, Values = { s_elements } }, "found", isLargeAnswer: true);
        Add("SortedSetGetRank", new SortedSetGetRankRequest { Name = name, Value = s_elements[Elements / 2], Order = SortedSetOrder.Descending }, "part");
        Add("SortedSetIncrement", new SortedSetIncrementRequest { Name = name, Value = s_elements[0], Amount = Elements, TtlMs = TtlMs });
        Add("SortedSetRemove", new SortedSetRemoveRequest { Name = name, Some = new() { Values = { s_elements } } });
        Add("SortedSetLength", new SortedSetLengthRequest { Name = name }, "found");
        Add("SortedSetLengthByScore", new SortedSetLengthByScoreRequest { Name = name, UnboundedMin = new(), UnboundedMax = new() }, "found");
        Add("SortedSetUnionStore", union, repeats: UnionRepeats);
    }
}
