using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using Larder.Store.Collections;

namespace Larder.Store.Bench;

/// <summary>
/// A thread of a <see cref="CollectionModel"/>. The thread applies the same operations to the store and to the model, and compares the responses.
/// </summary>
internal sealed partial class CollectionWorker
{
    // One key in ten may have thousands of elements. The others have at most a few more elements than the packed form can contain.
    private const int LargeKeys = 10;
    private const int MaxLarge = 6000;
    private const int MaxSmall = 200;

    private readonly Cache _cache;
    private readonly CollectionNames _names;
    private readonly int _id;
    private readonly bool _evicts;
    private readonly Random _random;
    private readonly CollectionState[] _held;
    private readonly byte[] _key = new byte[12];
    private long _nowMs;
    private int _index;
    private Exception? _failure;

    public CollectionWorker(Cache cache, CollectionNames names, int id, int keys, bool evicts, int seed)
    {
        _cache = cache;
        _names = names;
        _id = id;
        _evicts = evicts;
        _random = new Random((seed * 100) + id);
        _held = [.. Enumerable.Range(0, keys).Select(_ => new CollectionState(names))];
    }

    public void Phase(long nowMs, int operations)
    {
        _nowMs = nowMs;
        try
        {
            for (int i = 0; i < operations; i++)
            {
                Step();
            }
        }
        catch (Exception failure)
        {
            // The thread that started this thread rethrows the exception.
            _failure = failure;
        }
    }

    public void ThrowIfFailed()
    {
        if (_failure is not null)
        {
            throw new InvalidOperationException($"The store and its model differ: {_failure.Message}", _failure);
        }
    }

    public void Clear() => Array.ForEach(_held, state => state.Clear());

    private void Step()
    {
        _index = _random.Next(_held.Length);
        KeyOf(_index).CopyTo(_key.AsSpan());
        Expire(_held[_index]);
        int type = _random.Next(50) == 0 ? _random.Next(5) : _index % 5;
        switch (type)
        {
            case 0:
                StepDictionary();
                break;
            case 1:
                StepSet();
                break;
            case 2:
                StepList();
                break;
            case 3:
                StepSortedSet();
                break;
        }

        if (type == 4 || _random.Next(30) == 0)
        {
            StepScalar();
        }
    }

    private int Most => _index / 5 % LargeKeys == 0 ? MaxLarge : MaxSmall;

    private void Expire(CollectionState state)
    {
        if (state.Type is not null && state.ExpiresAtMs <= _nowMs)
        {
            state.Clear();
        }
    }

    private byte[] KeyOf(int index)
    {
        byte[] key = new byte[12];
        BinaryPrimitives.WriteInt32LittleEndian(key, index);
        BinaryPrimitives.WriteInt32LittleEndian(key.AsSpan(4), _id);
        return key;
    }

    // Compares responses. The store's response must equal the response of the model. If entries may be evicted, it may also equal the response of a model
    // without the key.
    private void Compare(CollectionAnswer store, Func<CollectionState, CollectionAnswer> model, string what)
    {
        CollectionState state = _held[_index];
        if (_evicts && state.Type is not null)
        {
            var empty = new CollectionState(_names);
            CollectionAnswer ofEmpty = model(empty);
            CollectionAnswer ofState = model(state);
            if (store != ofState && store == ofEmpty)
            {
                _held[_index] = empty;
                return;
            }

            Invariant.Holds(store == ofState, $"{what}: {store}, not {ofState} nor {ofEmpty}");
            if (ofState == ofEmpty)
            {
                Settle(state, empty);
            }

            return;
        }

        CollectionAnswer expected = model(state);
        Invariant.Holds(store == expected, $"{what}: {store}, not {expected}");
    }

    // Called if the response does not show whether the key was evicted, because it is the same in both cases. The current content of the store decides which
    // state the model continues with.
    private void Settle(CollectionState state, CollectionState empty)
    {
        if (!_cache.TryGetTtl(_key, out long left) || !_cache.TryGetType(_key, out ItemType type))
        {
            state.Clear();
            return;
        }

        CollectionAnswer whole = Whole(type);
        if (empty.Type == type && whole == Whole(empty, type) && (state.Type != type || whole != Whole(state, type) || state.ExpiresAtMs - _nowMs - 1 != left))
        {
            _held[_index] = empty;
        }
    }

    private CollectionAnswer Whole(ItemType type)
    {
        var sink = new CollectionSink(isOrdered: type is ItemType.List or ItemType.SortedSet);
        var value = new ScalarSink();
        return type switch
        {
            ItemType.Dictionary => sink.Answer(_cache.DictionaryFetch(_key, AnswerLimit.None, ref sink)),
            ItemType.Set => sink.Answer(_cache.SetFetch(_key, AnswerLimit.None, ref sink)),
            ItemType.List => sink.Answer(_cache.ListFetch(_key, default, AnswerLimit.None, ref sink)),
            ItemType.SortedSet => sink.Answer(_cache.SortedSetFetchByIndex(_key, default, SortedSetOrder.Ascending, AnswerLimit.None, ref sink)),
            _ => new CollectionAnswer(CollectionOutcome.Ok, _cache.Get(_key, ref value) == GetOutcome.Hit ? value.Hash : 0, (int)GetOutcome.Hit),
        };
    }

    private CollectionAnswer Whole(CollectionState state, ItemType type) => type switch
    {
        ItemType.Dictionary => FetchFields(state, AnswerLimit.None),
        ItemType.Set => FetchMembers(state, AnswerLimit.None),
        ItemType.List => FetchItems(state, default, AnswerLimit.None),
        ItemType.SortedSet => FetchSlice(state, default, SortedSetOrder.Ascending, AnswerLimit.None),
        _ => GetScalar(state),
    };

    /// <summary>Returns whether the key has another type than the requested one. <paramref name="answer"/> is the response for that case.</summary>
    private static bool IsOther(CollectionState state, ItemType type, out CollectionAnswer answer)
    {
        answer = new CollectionAnswer(CollectionOutcome.WrongType, 0, 0);
        return state.Type is { } held && held != type;
    }

    private void Create(CollectionState state, ItemType type, CollectionTtl ttl)
    {
        if (state.Type is null || ttl.Refresh)
        {
            state.ExpiresAtMs = _nowMs + ttl.TtlMs;
        }

        state.Type = type;
    }

    private CollectionTtl NewTtl() => new(1 + (long)Math.Pow(86_000_000, Math.Sqrt(_random.NextDouble())), _random.Next(2) == 0);

    private AnswerLimit NewLimit() => _random.Next(10) == 0 ? new AnswerLimit(_random.Next(4000), 8) : AnswerLimit.None;

    private static bool Allows(AnswerLimit limit, long elements, long bytes) =>
        limit.MaxBytes == long.MaxValue || bytes + (elements * limit.BytesPerElement) <= limit.MaxBytes;

    private static CollectionAnswer TooLarge => new(CollectionOutcome.TooLarge, 0, 0);

    private int[] NewNumbers(int most)
    {
        int universe = Math.Min(_names.Count, Most + (Most / 5));
        return [.. Enumerable.Range(0, _random.Next(most) + 1).Select(_ => _random.Next(universe))];
    }

    // Usually returns a few elements, and sometimes more than the store processes while it holds the lock once.
    private int[] NewNumbers() => NewNumbers(_random.Next(20) == 0 ? Math.Min(Most / 4, 900) : 4);

    private (byte[] Bytes, CollectionItem[] Items) Pack(int[] numbers, double[]? scores = null, byte[][]? values = null)
    {
        var bytes = new MemoryStream();
        var items = new CollectionItem[numbers.Length];
        for (int i = 0; i < numbers.Length; i++)
        {
            int at = (int)bytes.Length;
            bytes.Write(_names[numbers[i]]);
            byte[] value = values?[i] ?? [];
            items[i] = new CollectionItem(at, _names[numbers[i]].Length, (int)bytes.Length, value.Length, scores?[i] ?? 0);
            bytes.Write(value);
        }

        return (bytes.ToArray(), items);
    }

    private static byte[] Text(long number) => Encoding.ASCII.GetBytes(number.ToString(CultureInfo.InvariantCulture));
}
