using System.Buffers.Binary;
using System.Buffers.Text;
using System.Globalization;
using System.Security.Cryptography;

namespace Larder.Client;

/// <summary>
/// How pages are held so that all of a tag can be evicted: the one place that knows. For each tag there is an item, its generation: the number of the eviction
/// that it is as young as, and random bytes. A page names it as it was when the page was stored. Evicting a tag replaces that one item, however many pages
/// there are: a page whose tag has none, or another, is none. So it is too where the server evicted the item for room.
/// <para>
/// Evictions are numbered by one counter. Who is about to make a page reads it, and a page one of whose tags has a generation of a higher number was being made
/// when that tag was evicted: it is not stored, as it may show what was there before.
/// </para>
/// </summary>
internal sealed class TagGenerations(Cache cache, string prefix, TimeProvider time)
{
    private readonly KnownTags _known = new();

    /// <summary>A page; none where there is none, or one of its tags was evicted since it was stored.</summary>
    public async ValueTask<PageAnswer> GetAsync(string key, CancellationToken cancellationToken)
    {
        string[] guessed = _known.Of(key);
        GetBatchResponse answer = await cache.GetBatchAsync([PageKey(key), .. guessed.Select(TagKey)], cancellationToken).ConfigureAwait(false);
        if (answer is not GetBatchResponse.Success read)
        {
            return new PageAnswer(null, ((GetBatchResponse.Error)answer).Failure);
        }

        if (read.Responses[0] is not GetResponse.Hit hit)
        {
            return new PageAnswer(null, (read.Responses[0] as GetResponse.Error)?.Failure);
        }

        if (!TaggedPage.TryRead(hit.Value, out string[]? tags, out ReadOnlyMemory<byte>[]? generations, out ReadOnlyMemory<byte> page))
        {
            return default;
        }

        IReadOnlyList<GetResponse> now = [.. read.Responses.Skip(1)];
        if (!tags.AsSpan().SequenceEqual(guessed))
        {
            _known.Note(key, tags);
            (now, CacheError? error) = await ReadAsync(tags, cancellationToken).ConfigureAwait(false);
            if (error is not null)
            {
                return new PageAnswer(null, error);
            }
        }

        for (int i = 0; i < tags.Length; i++)
        {
            switch (now[i])
            {
                case GetResponse.Error error:
                    return new PageAnswer(null, error.Failure);
                case GetResponse.Hit generation when generation.Value.Span.SequenceEqual(generations[i].Span):
                    break;
                default:
                    return default;
            }
        }

        return new PageAnswer(page);
    }

    /// <summary>The number of the last eviction of any tag; 0 where there was none that is remembered.</summary>
    public async ValueTask<(long Number, CacheError? Error)> LastEvictionAsync(CancellationToken cancellationToken) =>
        await cache.GetAsync(CounterKey, cancellationToken).ConfigureAwait(false) switch
        {
            GetResponse.Hit hit => (Utf8Parser.TryParse(hit.Value.Span, out long number, out _) ? number : 0, null),
            GetResponse.Error error => (0, error.Failure),
            _ => (0, null),
        };

    /// <summary>Stores a page, unless one of its tags was evicted while it was made. Null, or why it could not be.</summary>
    /// <param name="key">The page's key.</param>
    /// <param name="page">The page.</param>
    /// <param name="tags">Its tags, none of them twice.</param>
    /// <param name="ttl">How long it lives.</param>
    /// <param name="madeSince">The last eviction when it was begun; null: that is not known, and it is stored.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public async ValueTask<CacheError?> SetAsync(
        string key, byte[] page, IReadOnlyList<string> tags, TimeSpan ttl, long? madeSince, CancellationToken cancellationToken)
    {
        CacheError?[] kept = await Task.WhenAll(tags.Select(tag => KeepAsync(tag, ttl, cancellationToken))).ConfigureAwait(false);
        if (kept.FirstOrDefault(static error => error is not null) is { } notKept)
        {
            return notKept;
        }

        (IReadOnlyList<GetResponse> now, CacheError? notRead) = await ReadAsync(tags, cancellationToken).ConfigureAwait(false);
        if ((notRead ?? now.OfType<GetResponse.Error>().FirstOrDefault()?.Failure) is { } failed)
        {
            return failed;
        }

        ReadOnlyMemory<byte>[] generations = [.. now.OfType<GetResponse.Hit>().Select(static hit => hit.Value)];
        if (generations.Length < tags.Count || generations.Any(static each => each.Length != TaggedPage.GenerationBytes))
        {
            // Gone in between: the page would be none.
            return null;
        }

        if (generations.Any(generation => BinaryPrimitives.ReadInt64BigEndian(generation.Span) > madeSince))
        {
            return null;
        }

        byte[] value = TaggedPage.Write(page, tags, generations);
        SetResponse answer = await cache.SetAsync(PageKey(key), value, ttl, cancellationToken).ConfigureAwait(false);
        _known.Note(key, [.. tags]);
        return (answer as SetResponse.Error)?.Failure;
    }

    /// <summary>Evicts every page of a tag, and those that are being made. Null, or why they could not be.</summary>
    /// <param name="tag">The tag.</param>
    /// <param name="ttl">How long it is remembered: as long as a page can take to be made and live.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public async ValueTask<CacheError?> EvictAsync(string tag, TimeSpan ttl, CancellationToken cancellationToken)
    {
        // Begun by the clock, in µs: a counter that the server evicted for room goes on above where it was, unless it counted more than a million evictions
        // a second over all of its life.
        string begin = ((time.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond).ToString(CultureInfo.InvariantCulture);
        if (await cache.SetIfAbsentAsync(CounterKey, begin, ttl, cancellationToken).ConfigureAwait(false) is SetIfResponse.Error notBegun)
        {
            return notBegun.Failure;
        }

        // The number first: a page that reads the tag's old item afterwards is none once the tag has its new one.
        (long number, CacheError? error) = await NextNumberAsync(ttl, cancellationToken).ConfigureAwait(false);
        return error ?? (await cache.SetAsync(TagKey(tag), Generation(number), ttl, cancellationToken).ConfigureAwait(false) as SetResponse.Error)?.Failure;
    }

    private async ValueTask<(long Number, CacheError? Error)> NextNumberAsync(TimeSpan ttl, CancellationToken cancellationToken)
    {
        // An increment is not sent twice by the client where it may have run. Here a number may be skipped, so it is asked for once more.
        for (int attempt = 1; ; attempt++)
        {
            switch (await cache.IncrementAsync(CounterKey, 1, ttl, cancellationToken: cancellationToken).ConfigureAwait(false))
            {
                case IncrementResponse.Success success:
                    return (success.Value, null);
                case IncrementResponse.Error { Failure.Code: CacheErrorCode.Unavailable } when attempt == 1:
                    break;
                case IncrementResponse.Error error:
                    return (0, error.Failure);
            }
        }
    }

    // A tag's generation lives as long as its pages do, and is made where there is none.
    private async Task<CacheError?> KeepAsync(string tag, TimeSpan ttl, CancellationToken cancellationToken)
    {
        CacheBytes key = TagKey(tag);
        switch (await cache.IncreaseTtlAsync(key, ttl, cancellationToken).ConfigureAwait(false))
        {
            case UpdateTtlResponse.Error failed:
                return failed.Failure;
            case UpdateTtlResponse.Missing:
                // The tag may have been evicted, and its item lost since: as young as the last eviction of any.
                (long number, CacheError? error) = await LastEvictionAsync(cancellationToken).ConfigureAwait(false);
                byte[] generation = Generation(number);
                return error
                    ?? (await cache.SetIfAbsentAsync(key, generation, ttl, cancellationToken).ConfigureAwait(false) as SetIfResponse.Error)?.Failure;
            default:
                return null;
        }
    }

    private async ValueTask<(IReadOnlyList<GetResponse> Answers, CacheError? Error)> ReadAsync(
        IReadOnlyList<string> tags, CancellationToken cancellationToken)
    {
        if (tags.Count == 0)
        {
            return ([], null);
        }

        return await cache.GetBatchAsync([.. tags.Select(TagKey)], cancellationToken).ConfigureAwait(false) switch
        {
            GetBatchResponse.Success success => (success.Responses, null),
            GetBatchResponse.Error error => ([], error.Failure),
            _ => ([], null),
        };
    }

    // Random beside the number: of two that are made at one time one is none.
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
