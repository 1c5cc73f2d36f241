using Larder.Store.Collections;

namespace Larder.Store.Bench;

/// <summary>Operations on lists.</summary>
internal sealed partial class CollectionWorker
{
    private void StepList()
    {
        int[] numbers = NewNumbers();
        AnswerLimit limit = NewLimit();
        CollectionTtl ttl = NewTtl();
        ListEnd end = (ListEnd)_random.Next(2);
        ListSlice slice = new(NewIndex(), NewIndex());
        switch (_random.Next(24))
        {
            case < 9:
                uint most = _random.Next(4) == 0 ? (uint)_random.Next(1, 2 * Most) : (uint)Most;
                (byte[] bytes, CollectionItem[] items) = Pack(numbers);
                CollectionOutcome pushed = _cache.ListPush(_key, new CollectionBatch(bytes, items), end, most, ttl, out long after);
                Compare(new CollectionAnswer(pushed, 0, after), state => Push(state, numbers, end, (int)most, ttl), "ListPush");
                break;
            case < 13:
                var popped = new CollectionSink(isOrdered: true);
                CollectionOutcome pop = _cache.ListPop(_key, end, limit, ref popped, out long left);
                CollectionAnswer one = popped.Answer(pop, pop == CollectionOutcome.Ok ? left : 0);
                Compare(one, state => PopItem(state, end, limit), "ListPop");
                break;
            case < 17:
                var fetched = new CollectionSink(isOrdered: true);
                CollectionOutcome fetch = _cache.ListFetch(_key, slice, limit, ref fetched);
                Compare(fetched.Answer(fetch), state => FetchItems(state, slice, limit), "ListFetch");
                break;
            case 17:
                CollectionOutcome retained = _cache.ListRetain(_key, slice, ttl, out long kept);
                Compare(new CollectionAnswer(retained, 0, kept), state => Retain(state, slice, ttl), "ListRetain");
                break;
            case < 20:
                CollectionOutcome removed = _cache.ListRemove(_key, _names[numbers[0]], out long rest);
                Compare(new CollectionAnswer(removed, 0, rest), state => RemoveItems(state, numbers[0]), "ListRemove");
                break;
            case < 22:
                ListRange[] ranges = [.. numbers.Take(5).Select(number => new ListRange((uint)number, (uint)_random.Next(_random.Next(2) * 20 + 4)))];
                CollectionOutcome erased = _cache.ListErase(_key, ranges, out long whole);
                Compare(new CollectionAnswer(erased, 0, whole), state => Erase(state, ranges), "ListErase");
                break;
            case 22 when _random.Next(10) == 0:
                Compare(new CollectionAnswer(_cache.ListEraseAll(_key), 0, 0), state => DeleteAll(state, ItemType.List), "ListEraseAll");
                break;
            default:
                CollectionOutcome counted = _cache.ListLength(_key, out long length);
                Compare(new CollectionAnswer(counted, 0, length), state => LengthOf(state, ItemType.List), "ListLength");
                break;
        }
    }

    private int? NewIndex() => _random.Next(3) == 0 ? null : _random.Next(-Most, Most);

    private CollectionAnswer Push(CollectionState state, int[] numbers, ListEnd end, int most, CollectionTtl ttl)
    {
        if (IsOther(state, ItemType.List, out CollectionAnswer other))
        {
            return other;
        }

        Create(state, ItemType.List, ttl);
        state.Items.InsertRange(end == ListEnd.Front ? 0 : state.Count, numbers);
        int surplus = Math.Max(state.Count - most, 0);
        state.Items.RemoveRange(end == ListEnd.Front ? state.Count - surplus : 0, surplus);
        return CollectionAnswer.Of(state.Count);
    }

    private CollectionAnswer PopItem(CollectionState state, ListEnd end, AnswerLimit limit)
    {
        if (state.Type != ItemType.List)
        {
            return IsOther(state, ItemType.List, out CollectionAnswer other) ? other : CollectionAnswer.Missing;
        }

        int at = end == ListEnd.Front ? 0 : state.Count - 1;
        byte[] name = _names[state.Items[at]];
        if (!Allows(limit, 1, name.Length))
        {
            return TooLarge;
        }

        state.Items.RemoveAt(at);
        int left = state.Count;
        state.ClearIfEmpty();
        var sink = new CollectionSink(isOrdered: true);
        sink.Begin(0);
        sink.Show(name, default, 0, isPresent: true);
        return sink.Answer(CollectionOutcome.Ok, left);
    }

    private CollectionAnswer FetchItems(CollectionState state, ListSlice slice, AnswerLimit limit)
    {
        if (state.Type != ItemType.List)
        {
            return IsOther(state, ItemType.List, out CollectionAnswer other) ? other : CollectionAnswer.Missing;
        }

        List<int> items = SliceOf(state.Items, slice);
        if (items.Count == 0)
        {
            return CollectionAnswer.Missing;
        }

        if (!Allows(limit, items.Count, items.Sum(number => (long)_names[number].Length)))
        {
            return TooLarge;
        }

        var sink = new CollectionSink(isOrdered: true);
        sink.Begin(0);
        items.ForEach(number => sink.Show(_names[number], default, 0, isPresent: true));
        return sink.Answer(CollectionOutcome.Ok);
    }

    private CollectionAnswer Retain(CollectionState state, ListSlice slice, CollectionTtl ttl)
    {
        if (state.Type != ItemType.List)
        {
            return IsOther(state, ItemType.List, out CollectionAnswer other) ? other : CollectionAnswer.Missing;
        }

        List<int> items = SliceOf(state.Items, slice);
        Create(state, ItemType.List, ttl);
        state.Items.Clear();
        state.Items.AddRange(items);
        state.ClearIfEmpty();
        return CollectionAnswer.Of(items.Count);
    }

    private static CollectionAnswer RemoveItems(CollectionState state, int number)
    {
        if (state.Type != ItemType.List)
        {
            return IsOther(state, ItemType.List, out CollectionAnswer other) ? other : CollectionAnswer.Missing;
        }

        state.Items.RemoveAll(item => item == number);
        int left = state.Count;
        state.ClearIfEmpty();
        return CollectionAnswer.Of(left);
    }

    private static CollectionAnswer Erase(CollectionState state, ListRange[] ranges)
    {
        if (state.Type != ItemType.List)
        {
            return IsOther(state, ItemType.List, out CollectionAnswer other) ? other : CollectionAnswer.Missing;
        }

        List<int> left = [.. state.Items.Where((_, index) => !ranges.Any(range => index >= range.Begin && index < range.Begin + range.Count))];
        state.Items.Clear();
        state.Items.AddRange(left);
        state.ClearIfEmpty();
        return CollectionAnswer.Of(left.Count);
    }

    private static List<int> SliceOf(List<int> items, ListSlice slice)
    {
        int start = slice.Start ?? 0;
        int end = slice.End ?? items.Count;
        start = Math.Clamp(start < 0 ? items.Count + start : start, 0, items.Count);
        end = Math.Clamp(end < 0 ? items.Count + end : end, 0, items.Count);
        return start < end ? items[start..end] : [];
    }
}
