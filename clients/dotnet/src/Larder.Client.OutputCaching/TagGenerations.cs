using System.Buffers.Binary;
using System.Buffers.Text;
using System.Globalization;
using System.Security.Cryptography;

namespace Larder.Client;

/// <summary>
/// Stores pages so that one operation can evict all pages with a tag. The server stores a generation for each tag, as an item of its own. A generation consists
/// of an eviction number and random bytes. A stored page contains the generations that its tags had when the page was stored. A page is invalid if the current
/// generation of one of its tags is missing or differs from the generation in the page. Evicting a tag therefore only replaces the tag's generation, regardless
/// of how many pages have the tag. If the server evicts a generation for lack of memory, the pages with this tag become invalid.
/// <para>
/// All evictions of tags are numbered by one counter on the server. The counter is read before a page is rendered. Before the page is stored, the generations
/// of its tags are read. If one of them has a higher eviction number than the counter had, the tag was evicted while the page was rendered. The page is then
/// not stored, because it may show old data.
/// </para>
/// </summary>
internal sealed class TagGenerations(Cache cache, string prefix, TimeProvider time)
{
    private readonly KnownTags _known = new();

    /// <summary>Reads a page. The result contains no page if the page does not exist or if one of its tags was evicted after the page was stored.</summary>
    public async ValueTask<PageResult> GetAsync(string key, CancellationToken cancellationToken)
    {
        string[] guessed = _known.Of(key);
        CacheResult<IReadOnlyList<LookupResult<CacheValue>>> answer =
            await cache.GetBatchAsync([PageKey(key), .. guessed.Select(TagKey)], cancellationToken).ConfigureAwait(false);
        if (answer.IsError)
        {
            return new PageResult(null, answer.Error);
        }

        if (!answer.Value[0].TryGetValue(out CacheValue stored))
        {
            return new PageResult(null, answer.Value[0].Error);
        }

        if (!TaggedPage.TryRead(stored.Memory, out string[]? tags, out ReadOnlyMemory<byte>[]? generations, out ReadOnlyMemory<byte> page))
        {
            return default;
        }

        IReadOnlyList<LookupResult<CacheValue>> now = [.. answer.Value.Skip(1)];
        if (!tags.AsSpan().SequenceEqual(guessed))
        {
            _known.Note(key, tags);
            (now, CacheError? error) = await ReadAsync(tags, cancellationToken).ConfigureAwait(false);
            if (error is not null)
            {
                return new PageResult(null, error);
            }
        }

        for (int i = 0; i < tags.Length; i++)
        {
            switch (now[i])
            {
                case { Error: { } error }:
                    return new PageResult(null, error);
                case { IsHit: true } generation when generation.Value.Span.SequenceEqual(generations[i].Span):
                    break;
                default:
                    return default;
            }
        }

        return new PageResult(page);
    }

    /// <summary>Returns the number of the latest eviction of any tag, or 0 if no eviction is known. Returns the error if the call fails.</summary>
    public async ValueTask<(long Number, CacheError? Error)> LastEvictionAsync(CancellationToken cancellationToken) =>
        await cache.GetAsync(CounterKey, cancellationToken).ConfigureAwait(false) switch
        {
            { IsHit: true } hit => (Utf8Parser.TryParse(hit.Value.Span, out long number, out _) ? number : 0, null),
            { Error: { } error } => (0, error),
            _ => (0, null),
        };

    /// <summary>Stores a page, unless one of its tags was evicted while the page was rendered. Returns the error, or null if no call failed.</summary>
    /// <param name="key">The page's key.</param>
    /// <param name="page">The page.</param>
    /// <param name="tags">The page's tags, without duplicates.</param>
    /// <param name="ttl">The page's time to live.</param>
    /// <param name="madeSince">
    /// The latest eviction number when the rendering started. If null, this number is unknown, and the page is stored regardless of evictions during the
    /// rendering.
    /// </param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public async ValueTask<CacheError?> SetAsync(
        string key, byte[] page, IReadOnlyList<string> tags, TimeSpan ttl, long? madeSince, CancellationToken cancellationToken)
    {
        CacheError?[] kept = await Task.WhenAll(tags.Select(tag => KeepAsync(tag, ttl, cancellationToken))).ConfigureAwait(false);
        if (kept.FirstOrDefault(static error => error is not null) is { } notKept)
        {
            return notKept;
        }

        (IReadOnlyList<LookupResult<CacheValue>> now, CacheError? notRead) = await ReadAsync(tags, cancellationToken).ConfigureAwait(false);
        if ((notRead ?? now.FirstOrDefault(static each => each.IsError)?.Error) is { } failed)
        {
            return failed;
        }

        ReadOnlyMemory<byte>[] generations = [.. now.Where(static each => each.IsHit).Select(static hit => hit.Value.Memory)];
        if (generations.Length < tags.Count || generations.Any(static each => each.Length != TaggedPage.GenerationBytes))
        {
            // A generation is missing, for example because the server has evicted it since KeepAsync. The page would be invalid, so it is not stored.
            return null;
        }

        if (generations.Any(generation => BinaryPrimitives.ReadInt64BigEndian(generation.Span) > madeSince))
        {
            return null;
        }

        byte[] value = TaggedPage.Write(page, tags, generations);
        CacheResult answer = await cache.SetAsync(PageKey(key), value, ttl, cancellationToken).ConfigureAwait(false);
        _known.Note(key, [.. tags]);
        return answer.Error;
    }

    /// <summary>
    /// Evicts every page with a tag. Pages with this tag that are being rendered are not stored. Returns the error, or null if no call failed.
    /// </summary>
    /// <param name="tag">The tag.</param>
    /// <param name="ttl">
    /// How long the server stores the eviction number. It must be at least the time that a page takes to render plus the page's time to live.
    /// </param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public async ValueTask<CacheError?> EvictAsync(string tag, TimeSpan ttl, CancellationToken cancellationToken)
    {
        // The counter starts at the current time in µs. If the server evicts the counter for lack of memory, the new counter therefore starts above the old
        // value, unless there were more than 1,000,000 tag evictions per second on average.
        string begin = ((time.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond).ToString(CultureInfo.InvariantCulture);
        if (await cache.SetIfAbsentAsync(CounterKey, begin, ttl, cancellationToken).ConfigureAwait(false) is { Error: { } notBegun })
        {
            return notBegun;
        }

        // The counter is incremented before the generation is replaced. If a page is stored with the tag's old generation after this point, the page becomes
        // invalid when the tag gets its new generation.
        (long number, CacheError? error) = await NextNumberAsync(ttl, cancellationToken).ConfigureAwait(false);
        return error ?? (await cache.SetAsync(TagKey(tag), Generation(number), ttl, cancellationToken).ConfigureAwait(false)).Error;
    }

    private async ValueTask<(long Number, CacheError? Error)> NextNumberAsync(TimeSpan ttl, CancellationToken cancellationToken)
    {
        // The client does not retry an increment that the server may have already run. Here a skipped number does no harm, so the increment is retried once.
        for (int attempt = 1; ; attempt++)
        {
            switch (await cache.IncrementAsync(CounterKey, 1, ttl, cancellationToken: cancellationToken).ConfigureAwait(false))
            {
                case { IsSuccess: true } success:
                    return (success.Value, null);
                case { Error: { Code: CacheErrorCode.Unavailable } } when attempt == 1:
                    break;
                case { Error: { } error }:
                    return (0, error);
            }
        }
    }

    // Ensures that a tag's generation lives at least as long as a page that is about to be stored. Creates the generation if it does not exist.
    private async Task<CacheError?> KeepAsync(string tag, TimeSpan ttl, CancellationToken cancellationToken)
    {
        CacheBytes key = TagKey(tag);
        switch (await cache.IncreaseTtlAsync(key, ttl, cancellationToken).ConfigureAwait(false))
        {
            case { Error: { } failed }:
                return failed;
            case { IsMiss: true }:
                // The generation does not exist. The tag may have been evicted, and the server may have lost its generation after that. Therefore the new
                // generation gets the latest eviction number of any tag.
                (long number, CacheError? error) = await LastEvictionAsync(cancellationToken).ConfigureAwait(false);
                byte[] generation = Generation(number);
                return error
                    ?? (await cache.SetIfAbsentAsync(key, generation, ttl, cancellationToken).ConfigureAwait(false)).Error;
            default:
                return null;
        }
    }

    private async ValueTask<(IReadOnlyList<LookupResult<CacheValue>> Answers, CacheError? Error)> ReadAsync(
        IReadOnlyList<string> tags, CancellationToken cancellationToken)
    {
        if (tags.Count == 0)
        {
            return ([], null);
        }

        return await cache.GetBatchAsync([.. tags.Select(TagKey)], cancellationToken).ConfigureAwait(false) switch
        {
            { IsSuccess: true } success => (success.Value, null),
            { Error: { } error } => ([], error),
            _ => ([], null),
        };
    }

    // Creates a generation from an eviction number and random bytes. The random bytes are needed because two generations of a tag can have the same eviction
    // number. A page that contains the older generation must not become valid again.
    private static byte[] Generation(long number)
    {
        byte[] generation = RandomNumberGenerator.GetBytes(TaggedPage.GenerationBytes);
        BinaryPrimitives.WriteInt64BigEndian(generation, number);
        return generation;
    }

    private CacheBytes CounterKey => $"{prefix}evictions";

    private CacheBytes PageKey(string key) => $"{prefix}page:{key}";

    private CacheBytes TagKey(string tag) => $"{prefix}tag:{tag}";
}
