using System.Globalization;
using Larder.Store.Collections;

namespace Larder.Store.Tests.Collections;

/// <summary>Tests which calls are deferred with the short pace, and what may happen between the steps of long calls that are not deferred.</summary>
public sealed class CallPaceTests : IDisposable
{
    // Removing a value from a list scans the elements, which takes 25 ns per element.
    private const int MaxScanned = (int)(CallPace.MaxShortNs / 25);
    private const int Many = 20_000;

    private static readonly CollectionTtl s_hour = new(StoreFixture.Hour, Refresh: true);

    private readonly CollectionFixture _fixture = new();

    private Cache Cache => _fixture.Cache;

    public void Dispose() => _fixture.Dispose();

    [Theory]
    [InlineData(MaxScanned, CollectionOutcome.Ok)]
    [InlineData(MaxScanned + 1, CollectionOutcome.Deferred)]
    [InlineData(10 * MaxScanned, CollectionOutcome.Deferred)]
    public void Short_pace_defers_call_above_element_limit(int elements, CollectionOutcome expected)
    {
        _fixture.Push("k", ListEnd.Back, 0, Names(elements));
        Assert.Equal(expected, Short(() => Cache.ListRemove("k"u8, "absent"u8, out _)));
    }

    [Fact]
    public void Short_pace_defers_every_long_operation_without_changing_data()
    {
        string[] names = Names(Many);
        _fixture.Push("list", ListEnd.Back, 0, names);
        _fixture.AddMembers("set", names);
        _fixture.SetFields("dictionary", [.. names.Select(name => name + "=v")]);
        _fixture.Put("sorted", [.. names.Select((name, i) => string.Create(CultureInfo.InvariantCulture, $"{name}:{i}"))]);
        Dictionary<string, Func<CollectionOutcome>> calls = new()
        {
            ["push"] = () => Batch(names, batch => Cache.ListPush("list"u8, batch, ListEnd.Front, 0, s_hour, out _)),
            ["truncating push"] = () => Batch(["one"], batch => Cache.ListPush("list"u8, batch, ListEnd.Front, 1, s_hour, out _)),
            ["list fetch"] = () => Show((ref sink) => Cache.ListFetch("list"u8, default, AnswerLimit.None, ref sink)),
            ["retain"] = () => Cache.ListRetain("list"u8, new ListSlice(0, 1), default, out _),
            ["list remove"] = () => Cache.ListRemove("list"u8, "absent"u8, out _),
            ["erase"] = () => Cache.ListErase("list"u8, [new ListRange(0, Many)], out _),
            ["union"] = () => Batch(names, batch => Cache.SetUnion("set"u8, batch, s_hour)),
            ["set remove"] = () => Batch(names, batch => Cache.SetRemove("set"u8, batch)),
            ["subtract from"] = () => Batch(names, batch => Cache.SetSubtractFrom("set"u8, batch)),
            ["contains"] = () => ShowBatch(names, (batch, ref sink) => Cache.SetContains("set"u8, batch, ref sink)),
            ["set fetch"] = () => Show((ref sink) => Cache.SetFetch("set"u8, AnswerLimit.None, ref sink)),
            ["sample"] = () => Show((ref sink) => Cache.SetSample("set"u8, Many, AnswerLimit.None, ref sink)),
            ["pop"] = () => Show((ref sink) => Cache.SetPop("set"u8, Many, AnswerLimit.None, ref sink)),
            ["fields"] = () => Batch(names, batch => Cache.DictionarySet("dictionary"u8, batch, s_hour)),
            ["get fields"] = () => ShowBatch(names, (batch, ref sink) => Cache.DictionaryGet("dictionary"u8, batch, AnswerLimit.None, ref sink)),
            ["dictionary fetch"] = () => Show((ref sink) => Cache.DictionaryFetch("dictionary"u8, AnswerLimit.None, ref sink)),
            ["delete fields"] = () => Batch(names, batch => Cache.DictionaryDelete("dictionary"u8, batch)),
            ["put"] = () => Batch(names, batch => Cache.SortedSetPut("sorted"u8, batch, s_hour)),
            ["scores"] = () => ShowBatch(names, (batch, ref sink) => Cache.SortedSetGetScores("sorted"u8, batch, ref sink)),
            ["ranks"] = () =>
                Show((ref sink) => Cache.SortedSetFetchByIndex("sorted"u8, default, SortedSetOrder.Ascending, AnswerLimit.None, ref sink)),
            ["sorted remove"] = () => Batch(names, batch => Cache.SortedSetRemove("sorted"u8, batch)),
            ["union store"] = () => Batch(["sorted:1"], batch => Cache.SortedSetUnionStore("sorted"u8, batch, 0, 500, out _)),
        };
        Assert.Equal([], calls.Where(call => Short(call.Value) != CollectionOutcome.Deferred).Select(call => call.Key));
        Assert.Equal(0, _fixture.Store.Store.GetStatistics().Hits);
        Assert.Equal((Many, Many, Many, Many), Lengths());
    }

    [Fact]
    public void Short_pace_runs_call_on_short_part_of_long_collection()
    {
        _fixture.Push("list", ListEnd.Back, 0, Names(Many));
        Assert.Equal(CollectionOutcome.Ok, Short(() => Show((ref sink) => Cache.ListFetch("list"u8, new ListSlice(-3, null), AnswerLimit.None, ref sink))));
        Assert.Equal(CollectionOutcome.Ok, Short(() => Batch(["one"], batch => Cache.ListPush("list"u8, batch, ListEnd.Front, Many, s_hour, out _))));
    }

    [Fact]
    public void Short_pace_defers_call_while_another_call_uses_the_collection()
    {
        _fixture.Push("k", ListEnd.Back, 0, Names(Many));
        List<CollectionOutcome> meanwhile = [];
        Paced pace = new(() =>
        {
            if (meanwhile.Count == 0)
            {
                meanwhile.Add(OnAnotherThread(() => Short(() => Cache.ListLength("k"u8, out _))));
            }

            return true;
        });
        Assert.Equal(CollectionOutcome.Ok, With(pace, () => Cache.ListRemove("k"u8, "absent"u8, out _)));
        Assert.Equal([CollectionOutcome.Deferred], meanwhile);
    }

    [Fact]
    public void Started_change_completes_even_when_caller_stops_waiting()
    {
        _fixture.Push("k", ListEnd.Back, 0, [.. Enumerable.Repeat("x", Many)]);
        Assert.Equal(CollectionOutcome.Ok, With(new Paced(() => false), () => Cache.ListRemove("k"u8, "x"u8, out _)));
        Assert.Equal(CollectionOutcome.Missing, Cache.ListLength("k"u8, out _));
    }

    [Fact]
    public void Union_is_cancelled_without_change_when_caller_stops_waiting()
    {
        _fixture.Put("z", [.. Names(Many).Select(name => name + ":1")]);
        _fixture.Put("d", "before:1");
        int steps = 0;
        CollectionOutcome outcome = With(
            new Paced(() => ++steps < 3),
            () => Batch(["z:1"], batch => Cache.SortedSetUnionStore("d"u8, batch, 0, 500, out _)));
        Assert.Equal((CollectionOutcome.Cancelled, 3), (outcome, steps));
        Assert.Equal("before:1", _fixture.FetchByIndex("d"));
        Assert.Equal(CollectionOutcome.Ok, _fixture.Put("z", "more:1"));
    }

    [Fact]
    public void Cancelled_waiting_write_does_not_block_readers()
    {
        _fixture.Put("z", [.. Names(Many).Select(name => name + ":1")]);
        List<CollectionOutcome> meanwhile = [];
        Paced pace = new(() =>
        {
            if (meanwhile.Count == 0)
            {
                meanwhile.Add(OnAnotherThread(() => With(new Paced(() => false), () => _fixture.Put("z", "more:1"))));
                meanwhile.Add(OnAnotherThread(() => Short(() => Cache.SortedSetLength("z"u8, out _))));
            }

            return true;
        });
        Assert.Equal(CollectionOutcome.Ok, With(pace, () => Batch(["z:1"], batch => Cache.SortedSetUnionStore("d"u8, batch, 0, 500, out _))));
        Assert.Equal([CollectionOutcome.Cancelled, CollectionOutcome.Ok], meanwhile);
    }

    [Theory]
    [InlineData(50_000, SetOutcome.NotStored)]
    [InlineData(50_001, SetOutcome.Deferred)]
    [InlineData(500_000, SetOutcome.Deferred)]
    public void Short_pace_defers_hashing_of_large_value(int bytes, SetOutcome expected)
    {
        Cache.Set("k"u8, new byte[bytes], StoreFixture.Hour);
        CallPace.Current = CallPace.Short;
        try
        {
            Assert.Equal(expected, Cache.StoreIf("k"u8, "v"u8, StoreFixture.Hour, SetCondition.PresentAndHashEqual(new byte[Cache.ValueHashBytes])));
        }
        finally
        {
            CallPace.Current = null;
        }
    }

    private static string[] Names(int count) => [.. Enumerable.Range(0, count).Select(i => i.ToString("x6", CultureInfo.InvariantCulture))];

    private static CollectionOutcome Short(Func<CollectionOutcome> call) => With(CallPace.Short, call);

    private static CollectionOutcome With(CallPace pace, Func<CollectionOutcome> call)
    {
        CallPace.Current = pace;
        try
        {
            return call();
        }
        finally
        {
            CallPace.Current = null;
        }
    }

    private static T OnAnotherThread<T>(Func<T> call)
    {
        T result = default!;
        Thread thread = new(() => result = call());
        thread.Start();
        thread.Join();
        return result;
    }

    private delegate CollectionOutcome SinkCall(ref TextSink sink);

    private delegate CollectionOutcome BatchCall(CollectionBatch batch);

    private delegate CollectionOutcome BatchSinkCall(CollectionBatch batch, ref TextSink sink);

    private static CollectionOutcome Show(SinkCall call)
    {
        TextSink sink = new([]);
        return call(ref sink);
    }

    private static CollectionOutcome ShowBatch(string[] items, BatchSinkCall call)
    {
        (byte[] bytes, CollectionItem[] packed) = CollectionFixture.Pack(items);
        TextSink sink = new([]);
        return call(new CollectionBatch(bytes, packed), ref sink);
    }

    private static CollectionOutcome Batch(string[] items, BatchCall call)
    {
        (byte[] bytes, CollectionItem[] packed) = CollectionFixture.Pack(items);
        return call(new CollectionBatch(bytes, packed));
    }

    private (long List, long Set, long Dictionary, long Sorted) Lengths()
    {
        _ = Cache.ListLength("list"u8, out long list);
        _ = Cache.SetLength("set"u8, out long set);
        _ = Cache.DictionaryLength("dictionary"u8, out long dictionary);
        _ = Cache.SortedSetLength("sorted"u8, out long sorted);
        return (list, set, dictionary, sorted);
    }

    private sealed class Paced(Func<bool> step) : CallPace
    {
        public override bool Step() => step();

        public override bool Wait(int milliseconds) => step();
    }
}
