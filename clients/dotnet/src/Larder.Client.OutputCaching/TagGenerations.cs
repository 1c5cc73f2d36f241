using System.Security.Cryptography;

namespace Larder.Client;

/// <summary>
/// How pages are held so that all of a tag can be evicted: the one place that knows. For each tag there is an item of random bytes, its generation, which a
/// page names as it was when the page was stored. Evicting a tag deletes that one item, however many pages there are: a page whose tag has none, or another,
/// is none. So it is too where the server evicted the item for room.
/// </summary>
internal sealed class TagGenerations(BoundCache cache, string prefix)
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

    /// <summary>Stores a page. Null, or why it could not be.</summary>
    public async ValueTask<CacheError?> SetAsync(string key, byte[] page, IReadOnlyList<string> tags, TimeSpan ttl, CancellationToken cancellationToken)
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
            // Evicted in between: the page would be none.
            return null;
        }

        byte[] value = TaggedPage.Write(page, tags, generations);
        SetResponse answer = await cache.SetAsync(PageKey(key), value, ttl, cancellationToken).ConfigureAwait(false);
        _known.Note(key, [.. tags]);
        return (answer as SetResponse.Error)?.Failure;
    }

    /// <summary>Evicts every page of a tag. Null, or why they could not be.</summary>
    public async ValueTask<CacheError?> EvictAsync(string tag, CancellationToken cancellationToken) =>
        (await cache.DeleteAsync(TagKey(tag), cancellationToken).ConfigureAwait(false) as DeleteResponse.Error)?.Failure;

    // A tag's generation lives as long as its pages do, and is made where there is none.
    private async Task<CacheError?> KeepAsync(string tag, TimeSpan ttl, CancellationToken cancellationToken)
    {
        CacheBytes key = TagKey(tag);
        switch (await cache.IncreaseTtlAsync(key, ttl, cancellationToken).ConfigureAwait(false))
        {
            case UpdateTtlResponse.Error error:
                return error.Failure;
            case UpdateTtlResponse.Missing:
                byte[] generation = RandomNumberGenerator.GetBytes(TaggedPage.GenerationBytes);
                return (await cache.SetIfAbsentAsync(key, generation, ttl, cancellationToken).ConfigureAwait(false) as SetIfResponse.Error)?.Failure;
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

    private CacheBytes PageKey(string key) => $"{prefix}page:{key}";

    private CacheBytes TagKey(string tag) => $"{prefix}tag:{tag}";
}
