using System.Buffers;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.Logging;

namespace Larder.Client;

/// <summary>
/// The store of ASP.NET Core's output cache over a Larder server: every process of an application is served what one made. A server that does not answer is an
/// empty cache, counted and logged at most once in 10 s; an eviction that cannot be made throws, as pages that were to go are still served. A page lives for
/// the server's longest time to live at most. A page that is made in a request, and one of whose tags is evicted meanwhile, is served and not kept.
/// </summary>
public sealed class LarderOutputCacheStore : IOutputCacheBufferStore
{
    private readonly TagGenerations _pages;
    private readonly LongestLife _longest;
    private readonly FailureTolerance _tolerance;
    private readonly IHttpContextAccessor? _requests;

    /// <summary>A store over one cache of <paramref name="client"/>.</summary>
    /// <param name="client">The client, which the caller keeps and closes.</param>
    /// <param name="options">Which cache, and what is put before keys.</param>
    /// <param name="timeProvider">The clock of the log; null: the system's.</param>
    /// <param name="logger">Told once in a while of failures; null: nobody is.</param>
    /// <param name="requests">The request that a page is made in; null: a page whose tag is evicted while it is made may be kept.</param>
    /// <exception cref="ArgumentException">The cache's name is invalid.</exception>
    public LarderOutputCacheStore(
        CacheClient client,
        LarderOutputCacheOptions options,
        TimeProvider? timeProvider = null,
        ILogger<LarderOutputCacheStore>? logger = null,
        IHttpContextAccessor? requests = null)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(options);
        _pages = new TagGenerations(client.Cache(options.CacheName).WithValidName(), options.KeyPrefix, timeProvider ?? TimeProvider.System);
        _longest = new LongestLife(client, options.CacheName, timeProvider ?? TimeProvider.System);
        _tolerance = new FailureTolerance(isOn: true, logger, client.FailureLog);
        _requests = requests;
    }

    /// <summary>Gets that failed and were taken as a miss, and sets that failed and were dropped.</summary>
    public long FailedOpen => _tolerance.Borne;

    /// <inheritdoc/>
    public async ValueTask<byte[]?> GetAsync(string key, CancellationToken cancellationToken) =>
        (await ReadAsync(key, cancellationToken).ConfigureAwait(false))?.ToArray();

    /// <inheritdoc/>
    public async ValueTask<bool> TryGetAsync(string key, PipeWriter destination, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(destination);
        if (await ReadAsync(key, cancellationToken).ConfigureAwait(false) is not { } page)
        {
            return false;
        }

        await destination.WriteAsync(page, cancellationToken).ConfigureAwait(false);
        return true;
    }

    /// <inheritdoc/>
    public ValueTask SetAsync(string key, byte[] value, string[]? tags, TimeSpan validFor, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(value);
        return SetAsync(key, new ReadOnlySequence<byte>(value), tags, validFor, cancellationToken);
    }

    /// <inheritdoc/>
    public async ValueTask SetAsync(
        string key, ReadOnlySequence<byte> value, ReadOnlyMemory<string> tags, TimeSpan validFor, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(key);
        string[] distinct = [.. tags.ToArray().Distinct(StringComparer.Ordinal)];
        if (distinct.Length > TaggedPage.MaxTags || distinct.Contains(null))
        {
            throw new ArgumentException($"A page has at most {TaggedPage.MaxTags} tags, none of them null.", nameof(tags));
        }

        if (Arguments.CheckSize(value.Length) is { } tooLarge)
        {
            throw LarderDistributedCache.Failed(tooLarge, cancellationToken);
        }

        if (validFor <= TimeSpan.Zero)
        {
            return;
        }

        object? begun = null;
        if (distinct.Length > 0)
        {
            _requests?.HttpContext?.Items.TryGetValue((this, key), out begun);
        }

        TimeSpan longest = default;
        // Where it could not be asked which evictions there were when it was begun, it is not stored.
        CacheError? error = begun as CacheError;
        if (error is null)
        {
            (longest, error) = await _longest.AskAsync(cancellationToken).ConfigureAwait(false);
        }

        TimeSpan ttl = validFor < longest ? validFor : longest;
        error ??= await _pages.SetAsync(key, value.ToArray(), distinct, ttl, begun as long?, cancellationToken).ConfigureAwait(false);
        ForgetMaximumIfRefused(error);
        if (error is not null && !_tolerance.Bears(error))
        {
            throw LarderDistributedCache.Failed(error, cancellationToken);
        }
    }

    /// <inheritdoc/>
    /// <exception cref="CacheException">The server does not answer: the pages may still be served.</exception>
    public async ValueTask EvictByTagAsync(string tag, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(tag);
        (TimeSpan longest, CacheError? error) = await _longest.AskAsync(cancellationToken).ConfigureAwait(false);
        error ??= await _pages.EvictAsync(tag, longest, cancellationToken).ConfigureAwait(false);
        ForgetMaximumIfRefused(error);
        if (error is not null)
        {
            throw LarderDistributedCache.Failed(error, cancellationToken);
        }
    }

    // The server may have been restarted with a smaller maximum TTL.
    private void ForgetMaximumIfRefused(CacheError? error)
    {
        if (error is { Code: CacheErrorCode.InvalidArgument })
        {
            _longest.Forget();
        }
    }

    private async ValueTask<ReadOnlyMemory<byte>?> ReadAsync(string key, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(key);
        PageAnswer answer = await _pages.GetAsync(key, cancellationToken).ConfigureAwait(false);
        if (answer.Error is { } error && !_tolerance.Bears(error))
        {
            throw LarderDistributedCache.Failed(error, cancellationToken);
        }

        if (answer.Page is null && _requests?.HttpContext is { } request)
        {
            // The page is about to be made, in this request.
            (long number, CacheError? unknown) = answer.Error is null
                ? await _pages.LastEvictionAsync(cancellationToken).ConfigureAwait(false)
                : (0, answer.Error);
            request.Items[(this, key)] = unknown is null ? (object)number : unknown;
        }

        return answer.Page;
    }
}
