using System.Buffers;
using Larder.Client.Near;
using Microsoft.Extensions.Caching.Hybrid;

namespace Larder.Client;

/// <content>Loads: calls that the near cache cannot serve.</content>
public sealed partial class LarderHybridCache
{
    private static readonly SearchValues<char> s_controls = SearchValues.Create([.. Enumerable.Range(0, 32).Select(static each => (char)each)]);

    private async ValueTask<T> LoadAsync<TState, T>(
        string key,
        TState state,
        Func<TState, CancellationToken, ValueTask<T>> factory,
        HybridCacheEntryOptions? options,
        IEnumerable<string>? tags,
        CancellationToken cancellationToken)
    {
        HybridCacheEntryFlags flags = FlagsOf(options);
        if (!TryKey(key, out CacheBytes stored))
        {
            return (flags & HybridCacheEntryFlags.DisableUnderlyingData) == 0 ? await factory(state, cancellationToken).ConfigureAwait(false) : default!;
        }

        if (FindLocal<T>(key, flags) is { } held)
        {
            return held.Take()!;
        }

        // The stack buffer of TryGetCopy was too small for a long key.
        if (stored.Length > KeyBytes && (flags & HybridCacheEntryFlags.DisableLocalCacheRead) == 0
            && Cache.FindCopy(stored, cancellationToken) is { } copy && TryRead(copy, options, out T? value))
        {
            return value!;
        }

        EntryLoad<TState, T> load = new(this, key, stored, state, factory, options, EntryTags.Read(tags, _prefix, _noTags));
        LoadKey shared = new(key, flags, typeof(T));
        while (true)
        {
            SharedCreation<LoadedValue<T>> creation =
                (SharedCreation<LoadedValue<T>>)_loads.GetOrAdd(shared, static (_, load) => new SharedCreation<LoadedValue<T>>(load.Item, load.RunAsync), load);
            if (!creation.TryJoin())
            {
                _loads.TryRemove(new(shared, creation));
                continue;
            }

            try
            {
                LoadedValue<T> loaded = await creation.WaitAsync(cancellationToken).ConfigureAwait(false)
                    ?? await AloneAsync(load, cancellationToken).ConfigureAwait(false);
                return loaded.Take()!;
            }
            finally
            {
                if (creation.IsOver)
                {
                    _loads.TryRemove(new(shared, creation));
                }
            }
        }
    }

    // Runs a load for one caller. Other callers cannot wait for it, so waiting for it cannot cause a deadlock.
    private static async Task<LoadedValue<T>> AloneAsync<TState, T>(EntryLoad<TState, T> load, CancellationToken cancellationToken)
    {
        SharedCreation<LoadedValue<T>> creation = new(item: null, load.RunAloneAsync);
        creation.TryJoin();
        return (await creation.WaitAsync(cancellationToken).ConfigureAwait(false))!;
    }

    // Returns the key that the server stores. Returns false and logs the reason if the key is invalid.
    private bool TryKey(string? key, out CacheBytes stored)
    {
        stored = default;
        string? reason = string.IsNullOrWhiteSpace(key) ? "The key is empty or white space."
            : key.Length > _options.MaximumKeyLength ? $"The key has {key.Length} characters; MaximumKeyLength allows at most {_options.MaximumKeyLength}."
            : key.AsSpan().ContainsAny(s_controls) ? "The key contains control characters."
            : (stored = _prefix + key) is { IsWellFormed: false } ? "The key is invalid Unicode text."
            : null;
        if (reason is not null)
        {
            NotStored(reason);
        }

        return reason is null;
    }

    // Makes later callers of a key start a new load. A load in progress may have read the value before it was written or removed.
    private void EndSharing(string key)
    {
        foreach (LoadKey load in _loads.Keys)
        {
            if (load.Key == key)
            {
                _loads.TryRemove(load, out _);
            }
        }
    }
}
