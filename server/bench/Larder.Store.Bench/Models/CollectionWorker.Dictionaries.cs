using System.Globalization;
using System.Text;
using Larder.Store.Collections;

namespace Larder.Store.Bench;

/// <summary>Operations on dictionaries and scalars.</summary>
internal sealed partial class CollectionWorker
{
    private void StepDictionary()
    {
        int[] numbers = NewNumbers();
        (byte[] bytes, CollectionItem[] items) = Pack(numbers);
        var batch = new CollectionBatch(bytes, items);
        AnswerLimit limit = NewLimit();
        CollectionTtl ttl = NewTtl();
        switch (_random.Next(20))
        {
            case < 5:
                var got = new CollectionSink(isOrdered: true);
                CollectionOutcome get = _cache.DictionaryGet(_key, batch, limit, ref got);
                Compare(got.Answer(get), state => GetFields(state, numbers, limit), "DictionaryGet");
                break;
            case 5:
                var fetched = new CollectionSink(isOrdered: false);
                CollectionOutcome fetch = _cache.DictionaryFetch(_key, limit, ref fetched);
                Compare(fetched.Answer(fetch), state => FetchFields(state, limit), "DictionaryFetch");
                break;
            case < 12:
                byte[][] values = [.. numbers.Select(_ => NewValue())];
                (bytes, items) = Pack(numbers, values: values);
                CollectionOutcome set = _cache.DictionarySet(_key, new CollectionBatch(bytes, items), ttl);
                Compare(new CollectionAnswer(set, 0, 0), state => SetFields(state, numbers, values, ttl), "DictionarySet");
                break;
            case < 14:
                long amount = _random.Next(4) == 0 ? long.MaxValue - 5 : _random.Next(-50, 50);
                CollectionOutcome added = _cache.DictionaryIncrement(_key, _names[numbers[0]], amount, ttl, out long sum);
                double shown = added == CollectionOutcome.Ok ? sum : 0;
                Compare(new CollectionAnswer(added, 0, shown), state => Add(state, numbers[0], amount, ttl), "DictionaryIncrement");
                break;
            case < 18:
                Compare(new CollectionAnswer(_cache.DictionaryDelete(_key, batch), 0, 0), state => DeleteFields(state, numbers), "DictionaryDelete");
                break;
            case 18 when _random.Next(10) == 0:
                Compare(new CollectionAnswer(_cache.DictionaryDeleteAll(_key), 0, 0), state => DeleteAll(state, ItemType.Dictionary), "DictionaryDeleteAll");
                break;
            default:
                CollectionOutcome counted = _cache.DictionaryLength(_key, out long length);
                Compare(new CollectionAnswer(counted, 0, length), state => LengthOf(state, ItemType.Dictionary), "DictionaryLength");
                break;
        }
    }

    private CollectionAnswer GetFields(CollectionState state, int[] numbers, AnswerLimit limit)
    {
        if (state.Type != ItemType.Dictionary)
        {
            return IsOther(state, ItemType.Dictionary, out CollectionAnswer other) ? other : CollectionAnswer.Missing;
        }

        if (!Allows(limit, numbers.Length, numbers.Sum(number => state.Fields.TryGetValue(number, out byte[]? value) ? value.Length : 0)))
        {
            return TooLarge;
        }

        var sink = new CollectionSink(isOrdered: true);
        sink.Begin(0);
        foreach (int number in numbers)
        {
            sink.Show(_names[number], state.Fields.GetValueOrDefault(number), 0, state.Fields.ContainsKey(number));
        }

        return sink.Answer(CollectionOutcome.Ok);
    }

    private CollectionAnswer FetchFields(CollectionState state, AnswerLimit limit)
    {
        if (state.Type != ItemType.Dictionary)
        {
            return IsOther(state, ItemType.Dictionary, out CollectionAnswer other) ? other : CollectionAnswer.Missing;
        }

        if (!Allows(limit, state.Count, state.Fields.Sum(field => (long)_names[field.Key].Length + field.Value.Length)))
        {
            return TooLarge;
        }

        var sink = new CollectionSink(isOrdered: false);
        sink.Begin(0);
        foreach ((int number, byte[] value) in state.Fields)
        {
            sink.Show(_names[number], value, 0, isPresent: true);
        }

        return sink.Answer(CollectionOutcome.Ok);
    }

    private CollectionAnswer SetFields(CollectionState state, int[] numbers, byte[][] values, CollectionTtl ttl)
    {
        if (IsOther(state, ItemType.Dictionary, out CollectionAnswer other))
        {
            return other;
        }

        Create(state, ItemType.Dictionary, ttl);
        for (int i = 0; i < numbers.Length; i++)
        {
            state.Fields[numbers[i]] = values[i];
        }

        return CollectionAnswer.Ok;
    }

    private CollectionAnswer Add(CollectionState state, int number, long amount, CollectionTtl ttl)
    {
        if (IsOther(state, ItemType.Dictionary, out CollectionAnswer other))
        {
            return other;
        }

        long present = 0;
        if (state.Fields.TryGetValue(number, out byte[]? value)
            && !long.TryParse(Encoding.Latin1.GetString(value), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out present))
        {
            return new CollectionAnswer(CollectionOutcome.NotAnInteger, 0, 0);
        }

        Int128 sum = (Int128)present + amount;
        if (sum > long.MaxValue || sum < long.MinValue)
        {
            return new CollectionAnswer(CollectionOutcome.Overflow, 0, 0);
        }

        Create(state, ItemType.Dictionary, ttl);
        state.Fields[number] = Text((long)sum);
        return CollectionAnswer.Of((long)sum);
    }

    private static CollectionAnswer DeleteFields(CollectionState state, int[] numbers)
    {
        if (state.Type != ItemType.Dictionary)
        {
            return IsOther(state, ItemType.Dictionary, out CollectionAnswer other) ? other : CollectionAnswer.Missing;
        }

        Array.ForEach(numbers, number => state.Fields.Remove(number));
        state.ClearIfEmpty();
        return CollectionAnswer.Ok;
    }

    private static CollectionAnswer DeleteAll(CollectionState state, ItemType type)
    {
        if (state.Type != type)
        {
            return IsOther(state, type, out CollectionAnswer other) ? other : CollectionAnswer.Missing;
        }

        state.Clear();
        return CollectionAnswer.Ok;
    }

    private static CollectionAnswer LengthOf(CollectionState state, ItemType type) =>
        IsOther(state, type, out CollectionAnswer other) ? other : state.Type is null ? CollectionAnswer.Missing : CollectionAnswer.Of(state.Count);

    private byte[] NewValue()
    {
        if (_random.Next(3) == 0)
        {
            return Text(_random.Next(-100, 100));
        }

        byte[] value = new byte[_random.Next(100) == 0 ? _random.Next(5000) : _random.Next(40)];
        Array.Fill(value, (byte)'x');
        return value;
    }

    private void StepScalar()
    {
        CollectionState held = _held[_index];
        byte[] value = NewValue();
        long ttlMs = NewTtl().TtlMs;
        switch (_random.Next(12))
        {
            case 0 when held.Type == ItemType.Scalar || _random.Next(10) == 0:
                _cache.Set(_key, value, ttlMs);
                Store(held, value, ttlMs);
                break;
            case 1:
                SetOutcome absent = _cache.StoreIf(_key, value, ttlMs, SetCondition.Absent);
                Compare(CollectionAnswer.Of((int)absent), state => StoreWhere(state, state.Type is null, value, ttlMs), "set where absent");
                break;
            case 2 when _random.Next(5) == 0:
                SetOutcome present = _cache.StoreIf(_key, value, ttlMs, SetCondition.Present);
                Compare(CollectionAnswer.Of((int)present), state => StoreWhere(state, state.Type is not null, value, ttlMs), "set where present");
                break;
            case 3:
                SetOutcome equal = _cache.StoreIf(_key, value, ttlMs, SetCondition.Equal(value));
                Compare(CollectionAnswer.Of((int)equal), state => StoreEqual(state, value, ttlMs), "set where equal");
                break;
            case 4:
                bool hasTtl = _cache.TryGetTtl(_key, out long left);
                Compare(CollectionAnswer.Of(hasTtl ? left : -1), state => CollectionAnswer.Of(state.Type is null ? -1 : state.ExpiresAtMs - _nowMs - 1), "TTL");
                break;
            case 5:
                bool hasType = _cache.TryGetType(_key, out ItemType type);
                Compare(CollectionAnswer.Of(hasType ? (int)type : -1), state => CollectionAnswer.Of(state.Type is { } known ? (int)known : -1), "type");
                break;
            case 6:
                bool updated = _cache.UpdateTtl(_key, TtlUpdate.OverwriteTo, ttlMs) == TtlUpdateOutcome.Set;
                Compare(CollectionAnswer.Of(updated ? 1 : 0), state => Renew(state, ttlMs), "TTL update");
                break;
            case 7 when _random.Next(10) == 0:
                bool deleted = _cache.Delete(_key);
                Compare(CollectionAnswer.Of(deleted ? 1 : 0), state => CollectionAnswer.Of(Drop(state)), "delete");
                break;
            case 8 when held.Type is null or ItemType.Scalar:
                break;
            case 8:
                IncrementOutcome sum = _cache.Increment(_key, 1, ttlMs, out _);
                Invariant.Holds(sum is IncrementOutcome.WrongType || _evicts, "a collection is not incremented");
                if (sum != IncrementOutcome.WrongType)
                {
                    held.Clear();
                    Store(held, "1"u8.ToArray(), ttlMs);
                }

                break;
            default:
                var sink = new ScalarSink();
                GetOutcome got = _cache.Get(_key, ref sink);
                Compare(new CollectionAnswer(CollectionOutcome.Ok, sink.Hash, (int)got), GetScalar, "get");
                break;
        }
    }

    private static CollectionAnswer GetScalar(CollectionState state) => state.Type switch
    {
        null => CollectionAnswer.Of((int)GetOutcome.Miss),
        ItemType.Scalar => new CollectionAnswer(CollectionOutcome.Ok, KeyHash.Compute(state.Scalar, 5), (int)GetOutcome.Hit),
        _ => CollectionAnswer.Of((int)GetOutcome.WrongType),
    };

    private CollectionAnswer StoreWhere(CollectionState state, bool may, byte[] value, long ttlMs)
    {
        if (may)
        {
            Store(state, value, ttlMs);
        }

        return CollectionAnswer.Of((int)(may ? SetOutcome.Stored : SetOutcome.NotStored));
    }

    private CollectionAnswer StoreEqual(CollectionState state, byte[] value, long ttlMs)
    {
        if (state.Type is not null and not ItemType.Scalar)
        {
            return CollectionAnswer.Of((int)SetOutcome.WrongType);
        }

        return StoreWhere(state, state.Type is not null && state.Scalar.AsSpan().SequenceEqual(value), value, ttlMs);
    }

    private CollectionAnswer Renew(CollectionState state, long ttlMs)
    {
        state.ExpiresAtMs = _nowMs + ttlMs;
        return CollectionAnswer.Of(state.Type is null ? 0 : 1);
    }

    private static int Drop(CollectionState state)
    {
        int held = state.Type is null ? 0 : 1;
        state.Clear();
        return held;
    }

    private void Store(CollectionState state, byte[] value, long ttlMs)
    {
        state.Clear();
        state.Type = ItemType.Scalar;
        state.Scalar = value;
        state.ExpiresAtMs = _nowMs + ttlMs;
    }

    private struct ScalarSink : IValueSink
    {
        public ulong Hash { get; private set; }

        public void Accept(ReadOnlySpan<byte> value) => Hash = KeyHash.Compute(value, 5);
    }
}
