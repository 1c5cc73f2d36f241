using Larder.Store.Collections;

namespace Larder.Store.Bench;

/// <summary>Operations on sets.</summary>
internal sealed partial class CollectionWorker
{
    private void StepSet()
    {
        int[] numbers = NewNumbers();
        (byte[] bytes, CollectionItem[] items) = Pack(numbers);
        var batch = new CollectionBatch(bytes, items);
        AnswerLimit limit = NewLimit();
        CollectionTtl ttl = NewTtl();
        switch (_random.Next(20))
        {
            case < 4:
                var contained = new CollectionSink(isOrdered: true);
                CollectionOutcome contains = _cache.SetContains(_key, batch, ref contained);
                Compare(contained.Answer(contains), state => Contains(state, numbers), "SetContains");
                break;
            case 4:
                var fetched = new CollectionSink(isOrdered: false);
                CollectionOutcome fetch = _cache.SetFetch(_key, limit, ref fetched);
                Compare(fetched.Answer(fetch), state => FetchMembers(state, limit), "SetFetch");
                break;
            case < 11:
                CollectionOutcome union = _cache.SetUnion(_key, batch, ttl);
                Compare(new CollectionAnswer(union, 0, 0), state => Union(state, numbers, ttl), "SetUnion");
                break;
            case < 13:
                Compare(new CollectionAnswer(_cache.SetRemove(_key, batch), 0, 0), state => TakeOut(state, numbers), "SetRemove");
                break;
            case 13:
                CollectionOutcome subtracted = _cache.SetSubtractFrom(_key, batch);
                Compare(new CollectionAnswer(subtracted, 0, 0), state => SubtractFrom(state, numbers), "SetSubtractFrom");
                break;
            case 14 when _random.Next(10) == 0:
                Compare(new CollectionAnswer(_cache.SetDelete(_key), 0, 0), state => DeleteAll(state, ItemType.Set), "SetDelete");
                break;
            case < 17:
                Draw(_random.Next(2) == 0, NewCount(), limit);
                break;
            default:
                CollectionOutcome counted = _cache.SetLength(_key, out long length);
                Compare(new CollectionAnswer(counted, 0, length), state => LengthOf(state, ItemType.Set), "SetLength");
                break;
        }
    }

    private uint NewCount() => (uint)(_random.Next(20) == 0 ? _random.Next(1, Most) : _random.Next(1, 4));

    // The store chooses the elements. They must be distinct elements of the set, and their number must be the requested one.
    private void Draw(bool pops, uint count, AnswerLimit limit)
    {
        List<byte[]> drawn = [];
        var sink = new CollectionSink(isOrdered: false, drawn);
        CollectionOutcome outcome = pops ? _cache.SetPop(_key, count, limit, ref sink) : _cache.SetSample(_key, count, limit, ref sink);
        int[] numbers = [.. drawn.Select(name => _names.Find(name))];
        Compare(new CollectionAnswer(outcome, 0, numbers.Length), state => Draw(state, pops, count, numbers, limit, outcome), "SetPop or SetSample");
    }

    private CollectionAnswer Draw(CollectionState state, bool pops, uint count, int[] numbers, AnswerLimit limit, CollectionOutcome outcome)
    {
        if (state.Type != ItemType.Set)
        {
            return IsOther(state, ItemType.Set, out CollectionAnswer other) ? other : CollectionAnswer.Missing;
        }

        if (outcome == CollectionOutcome.TooLarge)
        {
            return limit == AnswerLimit.None ? CollectionAnswer.Ok : TooLarge;
        }

        int wanted = (int)Math.Min(count, state.Count);
        bool isRight = numbers.Length == wanted && numbers.Distinct().Count() == wanted && numbers.All(state.Members.Contains);
        bool isAllowed = Allows(limit, wanted, numbers.Sum(number => (long)_names[number].Length));
        if (!isRight || !isAllowed)
        {
            return CollectionAnswer.Of(-1);
        }

        if (pops)
        {
            state.Members.ExceptWith(numbers);
            state.ClearIfEmpty();
        }

        return CollectionAnswer.Of(wanted);
    }

    private CollectionAnswer Contains(CollectionState state, int[] numbers)
    {
        if (state.Type != ItemType.Set)
        {
            return IsOther(state, ItemType.Set, out CollectionAnswer other) ? other : CollectionAnswer.Missing;
        }

        var sink = new CollectionSink(isOrdered: true);
        sink.Begin(0);
        Array.ForEach(numbers, number => sink.Show(_names[number], default, 0, state.Members.Contains(number)));
        return sink.Answer(CollectionOutcome.Ok);
    }

    private CollectionAnswer FetchMembers(CollectionState state, AnswerLimit limit)
    {
        if (state.Type != ItemType.Set)
        {
            return IsOther(state, ItemType.Set, out CollectionAnswer other) ? other : CollectionAnswer.Missing;
        }

        if (!Allows(limit, state.Count, state.Members.Sum(number => (long)_names[number].Length)))
        {
            return TooLarge;
        }

        var sink = new CollectionSink(isOrdered: false);
        sink.Begin(0);
        foreach (int number in state.Members)
        {
            sink.Show(_names[number], default, 0, isPresent: true);
        }

        return sink.Answer(CollectionOutcome.Ok);
    }

    private CollectionAnswer Union(CollectionState state, int[] numbers, CollectionTtl ttl)
    {
        if (IsOther(state, ItemType.Set, out CollectionAnswer other))
        {
            return other;
        }

        Create(state, ItemType.Set, ttl);
        state.Members.UnionWith(numbers);
        return CollectionAnswer.Ok;
    }

    private static CollectionAnswer TakeOut(CollectionState state, int[] numbers)
    {
        if (state.Type != ItemType.Set)
        {
            return IsOther(state, ItemType.Set, out CollectionAnswer other) ? other : CollectionAnswer.Missing;
        }

        state.Members.ExceptWith(numbers);
        state.ClearIfEmpty();
        return CollectionAnswer.Ok;
    }

    private static CollectionAnswer SubtractFrom(CollectionState state, int[] numbers)
    {
        if (state.Type != ItemType.Set)
        {
            return IsOther(state, ItemType.Set, out CollectionAnswer other) ? other : CollectionAnswer.Missing;
        }

        HashSet<int> left = [.. numbers];
        left.ExceptWith(state.Members);
        state.Members.Clear();
        state.Members.UnionWith(left);
        state.ClearIfEmpty();
        return CollectionAnswer.Ok;
    }
}
