using Larder.Protocol;

namespace Larder.Server.Tests.Fleet.Collections;

internal sealed partial class GatewayModel
{
    private async Task PutAsync()
    {
        Dictionary<string, double>? own = Own<Dictionary<string, double>>();
        SortedSetPutRequest put = new() { Name = Name, TtlMs = TtlMs };
        foreach (string element in Some())
        {
            double score = Score();
            put.Elements.Add(new SortedSetElement { Value = Bytes(element), Score = score });
            if (own is not null)
            {
                own[element] = score;
            }
        }

        await AskAsync<SortedSetPutResponse>(own is not null, put);
        Held = own ?? Held;
    }

    private async Task IncrementScoreAsync()
    {
        Dictionary<string, double>? own = Own<Dictionary<string, double>>();
        string element = Text();
        double amount = Score();
        double sum = own?.GetValueOrDefault(element) + amount ?? double.NaN;
        SortedSetIncrementRequest increment = new() { Name = Name, Value = Bytes(element), Amount = amount, TtlMs = TtlMs };
        SortedSetIncrementResponse? answer = await AskAsync<SortedSetIncrementResponse>(!double.IsNaN(sum), increment);
        if (!double.IsNaN(sum))
        {
            Assert.Equal(sum, answer!.Score);
            own![element] = sum;
            Held = own;
        }
    }

    private static IEnumerable<KeyValuePair<string, double>> Ordered(Dictionary<string, double> own, SortedSetOrder order)
    {
        IEnumerable<KeyValuePair<string, double>> ascending = own.OrderBy(each => each.Value).ThenBy(each => each.Key, StringComparer.Ordinal);
        return order == SortedSetOrder.Ascending ? ascending : ascending.Reverse();
    }

    private async Task FetchSortedAsync()
    {
        Dictionary<string, double>? own = Own<Dictionary<string, double>>();
        SortedSetOrder order = (SortedSetOrder)_random.Next(2);
        SortedSetFetchRequest fetch = new() { Name = Name, Order = order, WithScores = true };
        IEnumerable<KeyValuePair<string, double>> expected = Ordered(own ?? [], order);
        if (_random.Next(2) == 0)
        {
            (int first, int count) = Slice(own?.Count ?? 3, out int? start, out int? end);
            fetch.ByIndex = new();
            if (start is { } from)
            {
                fetch.ByIndex.InclusiveStart = from;
            }

            if (end is { } to)
            {
                fetch.ByIndex.ExclusiveEnd = to;
            }

            expected = expected.Skip(first).Take(count);
        }
        else
        {
            double min = Score();
            double max = Score();
            bool excludesMin = _random.Next(2) == 0;
            bool excludesMax = _random.Next(2) == 0;
            fetch.ByScore = new()
            {
                MinScore = new() { Score = min, Exclusive = excludesMin },
                MaxScore = new() { Score = max, Exclusive = excludesMax },
                Offset = (uint)_random.Next(3),
                Count = _random.Next(-2, 5),
            };
            expected = expected.Where(each => (excludesMin ? each.Value > min : each.Value >= min) && (excludesMax ? each.Value < max : each.Value <= max));
            SortedSetLengthByScoreRequest count = new() { Name = Name };
            _ = excludesMin ? count.ExclusiveMin = min : count.InclusiveMin = min;
            _ = excludesMax ? count.ExclusiveMax = max : count.InclusiveMax = max;
            SortedSetLengthByScoreResponse? counted = await AskAsync<SortedSetLengthByScoreResponse>(own is not null, count);
            if (own is not null)
            {
                Assert.Equal(Held is null ? null : (uint)expected.Count(), counted!.Found?.Length);
            }

            expected = expected.Skip((int)fetch.ByScore.Offset).Take(fetch.ByScore.Count < 0 ? int.MaxValue : fetch.ByScore.Count);
        }

        SortedSetFetchResponse? answer = await AskAsync<SortedSetFetchResponse>(own is not null, fetch);
        if (own is not null)
        {
            Assert.Equal(Held is null, answer!.Missing is not null);
            Assert.Equal(expected, answer.Found?.WithScores.Elements.Select(each => KeyValuePair.Create(each.Value.ToStringUtf8(), each.Score)) ?? []);
        }
    }

    private async Task RanksAsync()
    {
        Dictionary<string, double>? own = Own<Dictionary<string, double>>();
        string element = Text();
        SortedSetOrder order = (SortedSetOrder)_random.Next(2);
        SortedSetGetRankRequest rank = new() { Name = Name, Value = Bytes(element), Order = order };
        SortedSetGetRankResponse? ranked = await AskAsync<SortedSetGetRankResponse>(own is not null, rank);
        SortedSetGetScoreResponse? scored = await AskAsync<SortedSetGetScoreResponse>(
            own is not null,
            new SortedSetGetScoreRequest { Name = Name, Values = { Bytes(element), Bytes("none") } });
        if (own is null)
        {
            return;
        }

        Assert.Equal(Held is null, ranked!.Missing is not null);
        Assert.Equal(Held is null, scored!.Missing is not null);
        int index = Ordered(own, order).Select(each => each.Key).ToList().IndexOf(element);
        if (Held is not null)
        {
            Assert.Equal(index < 0 ? (CacheResult.Miss, 0ul) : (CacheResult.Hit, (ulong)index), (ranked.Part.Result, ranked.Part.Rank));
            Assert.Equal([(index < 0 ? CacheResult.Miss : CacheResult.Hit), CacheResult.Miss], scored.Found.Parts.Select(part => part.Result));
            Assert.Equal(own.GetValueOrDefault(element), scored.Found.Parts[0].Score);
        }
    }
}
