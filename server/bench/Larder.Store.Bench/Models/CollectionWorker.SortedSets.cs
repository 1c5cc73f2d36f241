using Larder.Store.Collections;

namespace Larder.Store.Bench;

/// <summary>Operations on sorted sets.</summary>
internal sealed partial class CollectionWorker
{
    private void StepSortedSet()
    {
        int[] numbers = NewNumbers();
        (byte[] bytes, CollectionItem[] items) = Pack(numbers);
        var batch = new CollectionBatch(bytes, items);
        AnswerLimit limit = NewLimit();
        CollectionTtl ttl = NewTtl();
        var order = (SortedSetOrder)_random.Next(2);
        var fetched = new CollectionSink(isOrdered: true);
        switch (_random.Next(26))
        {
            case < 8:
                double[] scores = [.. numbers.Select(_ => NewScore())];
                (bytes, items) = Pack(numbers, scores);
                CollectionOutcome put = _cache.SortedSetPut(_key, new CollectionBatch(bytes, items), ttl);
                Compare(new CollectionAnswer(put, 0, 0), state => Put(state, numbers, scores, ttl), "SortedSetPut");
                break;
            case < 11:
                ListSlice slice = new(NewIndex(), NewIndex());
                CollectionOutcome byIndex = _cache.SortedSetFetchByIndex(_key, slice, order, limit, ref fetched);
                Compare(fetched.Answer(byIndex), state => FetchSlice(state, slice, order, limit), "SortedSetFetchByIndex");
                break;
            case < 14:
                ScoreRange range = NewRange();
                uint offset = (uint)_random.Next(2) * (uint)_random.Next(Most);
                int count = _random.Next(-1, Most);
                CollectionOutcome byScore = _cache.SortedSetFetchByScore(_key, range, offset, count, order, limit, ref fetched);
                Compare(fetched.Answer(byScore), state => FetchRange(state, range, (int)offset, count, order, limit), "SortedSetFetchByScore");
                break;
            case < 16:
                CollectionOutcome got = _cache.SortedSetGetScores(_key, batch, ref fetched);
                Compare(fetched.Answer(got), state => ScoresOf(state, numbers), "SortedSetGetScores");
                break;
            case < 18:
                CollectionOutcome ranked = _cache.SortedSetGetRank(_key, _names[numbers[0]], order, out long? rank);
                Compare(new CollectionAnswer(ranked, 0, rank ?? -1), state => RankOf(state, numbers[0], order), "SortedSetGetRank");
                break;
            case < 20:
                double amount = NewScore();
                CollectionOutcome added = _cache.SortedSetIncrement(_key, _names[numbers[0]], amount, ttl, out double sum);
                Compare(new CollectionAnswer(added, 0, sum), state => Increment(state, numbers[0], amount, ttl), "SortedSetIncrement");
                break;
            case < 23:
                Compare(new CollectionAnswer(_cache.SortedSetRemove(_key, batch), 0, 0), state => TakeMembers(state, numbers), "SortedSetRemove");
                break;
            case 23 when _random.Next(10) == 0:
                Compare(new CollectionAnswer(_cache.SortedSetRemoveAll(_key), 0, 0), state => DeleteAll(state, ItemType.SortedSet), "SortedSetRemoveAll");
                break;
            case 24:
                UnionStore(ttl.TtlMs);
                break;
            default:
                ScoreRange counted = NewRange();
                CollectionOutcome within = _cache.SortedSetLengthByScore(_key, counted, out long length);
                Compare(new CollectionAnswer(within, 0, length), state => LengthWithin(state, counted), "SortedSetLengthByScore");
                break;
        }
    }

    private double NewScore() => _random.Next(20) switch
    {
        0 => double.PositiveInfinity,
        1 => double.NegativeInfinity,
        < 10 => _random.Next(5),
        _ => _random.NextDouble() * 10,
    };

    private ScoreRange NewRange() => new(
        _random.Next(3) == 0 ? null : NewScore(),
        _random.Next(3) == 0 ? null : NewScore(),
        _random.Next(2) == 0,
        _random.Next(2) == 0);

    private CollectionAnswer Put(CollectionState state, int[] numbers, double[] scores, CollectionTtl ttl)
    {
        if (IsOther(state, ItemType.SortedSet, out CollectionAnswer other))
        {
            return other;
        }

        Create(state, ItemType.SortedSet, ttl);
        for (int i = 0; i < numbers.Length; i++)
        {
            state.Put(numbers[i], scores[i]);
        }

        return CollectionAnswer.Ok;
    }

    private CollectionAnswer FetchSlice(CollectionState state, ListSlice slice, SortedSetOrder order, AnswerLimit limit) =>
        Show(state, order, members => SliceOf(members, slice), limit);

    private CollectionAnswer FetchRange(CollectionState state, ScoreRange range, int offset, int count, SortedSetOrder order, AnswerLimit limit) =>
        Show(
            state,
            order,
            members =>
            {
                IEnumerable<int> within = members.Where(member => IsWithin(range, state.Scores[member])).Skip(offset);
                return [.. count < 0 ? within : within.Take(count)];
            },
            limit);

    private CollectionAnswer Show(CollectionState state, SortedSetOrder order, Func<List<int>, List<int>> choose, AnswerLimit limit)
    {
        if (state.Type != ItemType.SortedSet)
        {
            return IsOther(state, ItemType.SortedSet, out CollectionAnswer other) ? other : CollectionAnswer.Missing;
        }

        List<int> members = [.. state.Order];
        if (order == SortedSetOrder.Descending)
        {
            members.Reverse();
        }

        List<int> chosen = choose(members);
        if (!Allows(limit, chosen.Count, chosen.Sum(member => (long)_names[member].Length)))
        {
            return TooLarge;
        }

        var sink = new CollectionSink(isOrdered: true);
        sink.Begin(0);
        chosen.ForEach(member => sink.Show(_names[member], default, state.Scores[member], isPresent: true));
        return sink.Answer(CollectionOutcome.Ok);
    }

    private static bool IsWithin(ScoreRange range, double score) =>
        (range.Min is not { } min || score > min || (score == min && !range.ExcludesMin))
        && (range.Max is not { } max || score < max || (score == max && !range.ExcludesMax));

    private CollectionAnswer ScoresOf(CollectionState state, int[] numbers)
    {
        if (state.Type != ItemType.SortedSet)
        {
            return IsOther(state, ItemType.SortedSet, out CollectionAnswer other) ? other : CollectionAnswer.Missing;
        }

        var sink = new CollectionSink(isOrdered: true);
        sink.Begin(0);
        Array.ForEach(numbers, number => sink.Show(_names[number], default, state.Scores.GetValueOrDefault(number), state.Scores.ContainsKey(number)));
        return sink.Answer(CollectionOutcome.Ok);
    }

    private static CollectionAnswer RankOf(CollectionState state, int number, SortedSetOrder order)
    {
        if (state.Type != ItemType.SortedSet)
        {
            return (IsOther(state, ItemType.SortedSet, out CollectionAnswer other) ? other : CollectionAnswer.Missing) with { Number = -1 };
        }

        if (!state.Scores.TryGetValue(number, out double score))
        {
            return CollectionAnswer.Of(-1);
        }

        int rank = state.PlaceOf(number, score);
        return CollectionAnswer.Of(order == SortedSetOrder.Ascending ? rank : state.Count - 1 - rank);
    }

    private CollectionAnswer Increment(CollectionState state, int number, double amount, CollectionTtl ttl)
    {
        if (IsOther(state, ItemType.SortedSet, out CollectionAnswer other))
        {
            return other;
        }

        double sum = state.Scores.TryGetValue(number, out double score) ? score + amount : amount;
        if (double.IsNaN(sum))
        {
            return new CollectionAnswer(CollectionOutcome.Overflow, 0, 0);
        }

        Create(state, ItemType.SortedSet, ttl);
        state.Put(number, sum);
        return CollectionAnswer.Of(sum);
    }

    private static CollectionAnswer TakeMembers(CollectionState state, int[] numbers)
    {
        if (state.Type != ItemType.SortedSet)
        {
            return IsOther(state, ItemType.SortedSet, out CollectionAnswer other) ? other : CollectionAnswer.Missing;
        }

        Array.ForEach(numbers, state.Take);
        state.ClearIfEmpty();
        return CollectionAnswer.Ok;
    }

    private static CollectionAnswer LengthWithin(CollectionState state, ScoreRange range)
    {
        if (state.Type != ItemType.SortedSet)
        {
            return IsOther(state, ItemType.SortedSet, out CollectionAnswer other) ? other : CollectionAnswer.Missing;
        }

        return CollectionAnswer.Of(state.Scores.Values.Count(score => IsWithin(range, score)));
    }

    // The union of up to three of this thread's keys. Skipped if entries may be evicted, because the model does not know which sources were evicted.
    private void UnionStore(long ttlMs)
    {
        if (_evicts)
        {
            return;
        }

        int[] sources = [.. Enumerable.Range(0, _random.Next(1, 4)).Select(_ => (_random.Next(_held.Length) / 5 * 5) + 3).Where(index => index < _held.Length)];
        double[] weights = [.. sources.Select(_ => _random.Next(5) == 0 ? double.PositiveInfinity : _random.Next(-2, 3))];
        if (sources.Length == 0)
        {
            return;
        }

        Array.ForEach(sources, index => Expire(_held[index]));
        var aggregate = (ScoreAggregate)_random.Next(3);
        byte[] bytes = [.. sources.SelectMany(KeyOf)];
        CollectionItem[] items = [.. weights.Select((weight, i) => new CollectionItem(i * 12, 12, Score: weight))];
        CollectionOutcome stored = _cache.SortedSetUnionStore(_key, new CollectionBatch(bytes, items), aggregate, ttlMs, out long length);
        Compare(new CollectionAnswer(stored, 0, length), state => Unite(state, sources, weights, aggregate, ttlMs), "SortedSetUnionStore");
    }

    private CollectionAnswer Unite(CollectionState state, int[] sources, double[] weights, ScoreAggregate aggregate, long ttlMs)
    {
        Dictionary<int, double> union = [];
        for (int i = 0; i < sources.Length; i++)
        {
            if (IsOther(_held[sources[i]], ItemType.SortedSet, out CollectionAnswer otherSource))
            {
                return otherSource;
            }

            foreach ((int member, double score) in _held[sources[i]].Scores)
            {
                double weighted = ZeroIfNaN(score * weights[i]);
                union[member] = !union.TryGetValue(member, out double present) ? weighted
                    : aggregate == ScoreAggregate.Min ? Math.Min(present, weighted)
                    : aggregate == ScoreAggregate.Max ? Math.Max(present, weighted)
                    : ZeroIfNaN(present + weighted);
            }
        }

        if (IsOther(state, ItemType.SortedSet, out CollectionAnswer other))
        {
            return other;
        }

        state.Clear();
        Create(state, ItemType.SortedSet, new CollectionTtl(ttlMs, Refresh: true));
        foreach ((int member, double score) in union)
        {
            state.Put(member, score);
        }

        state.ClearIfEmpty();
        return CollectionAnswer.Of(union.Count);
    }

    private static double ZeroIfNaN(double score) => double.IsNaN(score) ? 0 : score;
}
