using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>Dictionary operations. A dictionary maps binary field names to binary values.</summary>
public sealed unsafe partial class Cache
{
    /// <summary>Returns the values of the requested fields, in request order.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="fields">The names of the fields; duplicates are allowed.</param>
    /// <param name="limit">The maximum size of the response.</param>
    /// <param name="sink">The sink that receives one element per requested field, present or not.</param>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome DictionaryGet<TSink>(ReadOnlySpan<byte> key, scoped in CollectionBatch fields, AnswerLimit limit, ref TSink sink)
        where TSink : struct, ICollectionSink, allows ref struct
    {
        CollectionOutcome outcome = OpenToRead(key, ItemType.Dictionary, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            if (CallPace.Defers(CallCost.ToShow(fields.Count, AverageBytes(call.Root, fields.Count))))
            {
                return DeferRead();
            }

            // The size of the response is not known yet. Even a single requested field may contain almost the whole payload, and a field that is requested
            // twice is returned twice.
            ReadMany(shard, ref call, fields.Count, fields.Count == 1 ? 0 : call.Root->PayloadBytes);
            if (!limit.Allows(fields.Count, fields.Count * call.Root->PayloadBytes))
            {
                long bytes = 0;
                for (int i = 0; i < fields.Count; i++)
                {
                    bytes += KeyedElements.TryFind(call.Root, fields.NameAt(i), _hashSeed, out KeyedElement element) ? element.Value.Length : 0;
                }

                if (!limit.Allows(fields.Count, bytes))
                {
                    return TooLarge();
                }
            }

            sink.Begin(fields.Count);
            for (int i = 0; i < fields.Count; i++)
            {
                bool isPresent = KeyedElements.TryFind(call.Root, fields.NameAt(i), _hashSeed, out KeyedElement element);
                sink.Accept(isPresent ? Describe(element) : new CollectionElement(fields.NameAt(i), default, 0, isPresent: false));
            }

            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    /// <summary>Returns all fields with their values, without order, as one atomic snapshot.</summary>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome DictionaryFetch<TSink>(ReadOnlySpan<byte> key, AnswerLimit limit, ref TSink sink)
        where TSink : struct, ICollectionSink, allows ref struct => FetchAll(key, ItemType.Dictionary, limit, ref sink);

    /// <summary>Sets fields and replaces existing values. If a name occurs more than once in a request, its last value is stored.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="fields">The names and values. Each name has at least one byte.</param>
    /// <param name="ttl">The TTL.</param>
    /// <exception cref="ArgumentException">
    /// The key is empty, the TTL is out of range, or key and items exceed <see cref="CacheStore.MaxItemBytes"/>.
    /// </exception>
    /// <exception cref="InsufficientMemoryException">The operating system refuses the memory. Nothing was changed.</exception>
    public CollectionOutcome DictionarySet(ReadOnlySpan<byte> key, scoped in CollectionBatch fields, CollectionTtl ttl)
    {
        CollectionOutcome outcome = OpenToAdd(key, ItemType.Dictionary, ttl, fields, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome == CollectionOutcome.Missing ? Ok : outcome;
        }

        try
        {
            for (int i = 0; i < fields.Count && shard.Continue(ref call, fields.NameAt(i).Length + fields.ValueAt(i).Length); i++)
            {
                KeyedElements.Set(call.Root, shard.Blocks, fields.NameAt(i), fields.ValueAt(i), _hashSeed);
            }

            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    /// <summary>Adds to the base-10 integer in a field. A missing field counts as 0.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="field">The field's name: at least one byte.</param>
    /// <param name="amount">The amount to add: any int64.</param>
    /// <param name="ttl">The TTL. It is not applied if the increment fails.</param>
    /// <param name="value">The sum, if the outcome is <see cref="CollectionOutcome.Ok"/>.</param>
    /// <exception cref="ArgumentException">The same cases as for <see cref="DictionarySet"/>.</exception>
    /// <exception cref="InsufficientMemoryException">The same cases as for <see cref="DictionarySet"/>.</exception>
    public CollectionOutcome DictionaryIncrement(ReadOnlySpan<byte> key, ReadOnlySpan<byte> field, long amount, CollectionTtl ttl, out long value)
    {
        value = 0;
        int bytes = field.Length + IntegerText.MaxBytes;
        _store.CheckSize(key.Length, bytes);
        CollectionTtl onlyNew = ttl with { Refresh = false };
        CollectionOutcome outcome = OpenToAdd(key, ItemType.Dictionary, onlyNew, 1, bytes, bytes, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            if (KeyedElements.TryFind(call.Root, field, _hashSeed, out KeyedElement element) && !IntegerText.TryParse(element.Value, out value))
            {
                return CollectionOutcome.NotAnInteger;
            }

            long sum = unchecked(value + amount);
            if (((value ^ sum) & (amount ^ sum)) < 0)
            {
                return CollectionOutcome.Overflow;
            }

            value = sum;
            Span<byte> text = stackalloc byte[IntegerText.MaxBytes];
            KeyedElements.Set(call.Root, shard.Blocks, field, text[..IntegerText.Format(sum, text)], _hashSeed);
            shard.RefreshTtl(ref call, ttl);
            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    /// <summary>Removes fields. Missing fields are ignored.</summary>
    /// <returns>The outcome: Ok, Missing or WrongType.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome DictionaryDelete(ReadOnlySpan<byte> key, scoped in CollectionBatch fields) => RemoveKeyed(key, ItemType.Dictionary, fields);

    /// <summary>Removes the whole dictionary.</summary>
    /// <returns>The outcome: Ok, Missing or WrongType.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome DictionaryDeleteAll(ReadOnlySpan<byte> key) => DeleteWhole(key, ItemType.Dictionary);

    /// <summary>Gets the number of fields.</summary>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome DictionaryLength(ReadOnlySpan<byte> key, out long length) => Length(key, ItemType.Dictionary, out length);

    private CollectionOutcome FetchAll<TSink>(ReadOnlySpan<byte> key, ItemType type, AnswerLimit limit, ref TSink sink)
        where TSink : struct, ICollectionSink, allows ref struct
    {
        CollectionOutcome outcome = OpenToRead(key, type, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            if (!limit.Allows(call.Root->Count, call.Root->PayloadBytes))
            {
                return TooLarge();
            }

            if (CallPace.Defers(CallCost.ToShow(call.Root->Count, call.Root->PayloadBytes)))
            {
                return DeferRead();
            }

            ReadMany(shard, ref call, call.Root->Count, call.Root->PayloadBytes);
            ShowAll(call.Root, ref sink);
            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }
}
