using System.Buffers;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.Logging;

namespace Larder.Client;

/// <summary>
/// Stores the pages of ASP.NET Core's output cache on a Larder server, so that all processes of an application share the pages. If the server is unavailable,
/// the store behaves like an empty cache: gets return a miss, and sets are ignored. The store counts these failures, and logs them at most once every 10 s. A
/// failed eviction throws an exception, because the pages may still be served. The TTL of a page is limited to the server's maximum TTL. If one of a page's
/// tags is evicted while a request renders the page, the page is served but not stored.
/// </summary>
public sealed class LarderOutputCacheStore : IOutputCacheBufferStore
{
    private readonly TagGenerations _pages;
    private readonly MaxTtlCache _longest;
    private readonly FailureTolerance _tolerance;
    private readonly IHttpContextAccessor? _requests;

    /// <summary>Creates a store that uses one cache of <paramref name="client"/>.</summary>
    /// <param name="client">The client. It is not disposed with this object; the caller must dispose it.</param>
    /// <param name="options">The cache's name and the prefix of its keys.</param>
    /// <param name="timeProvider">
    /// The clock for numbering evictions of tags and for refreshing the server's maximum TTL. The default is null: the system clock.
    /// </param>
    /// <param name="logger">The logger for warnings about failures. The warnings are rate-limited. The default is null: no logging.</param>
    /// <param name="requests">
    /// Gives access to the HTTP request that renders a page. The default is null: a page is stored even if one of its tags is evicted while the page is
    /// rendered.
    /// </param>
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
        _longest = new MaxTtlCache(client, options.CacheName, timeProvider ?? TimeProvider.System);
        _tolerance = new FailureTolerance(isOn: true, logger, client.FailureLog);
        _requests = requests;
    }

    /// <summary>Gets the number of failed calls that were tolerated. A failed get was treated as a miss, and a failed set was ignored.</summary>
    public long FailedOpen => _tolerance.Tolerated;

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
            throw new ArgumentException($"A page must have at most {TaggedPage.MaxTags} tags, none of them null.", nameof(tags));
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
        // If the eviction number could not be read before the page was rendered, begun contains the error. The page is then not stored.
        CacheError? error = begun as CacheError;
        if (error is null)
        {
            (longest, error) = await _longest.AskAsync(cancellationToken).ConfigureAwait(false);
        }

        TimeSpan ttl = validFor < longest ? validFor : longest;
        error ??= await _pages.SetAsync(key, value.ToArray(), distinct, ttl, begun as long?, cancellationToken).ConfigureAwait(false);
        ForgetMaximumIfRefused(error);
        if (error is not null && !_tolerance.Tolerates(error))
        {
            throw LarderDistributedCache.Failed(error, cancellationToken);
        }
    }

    /// <inheritdoc/>
    /// <exception cref="CacheException">The eviction failed, so the pages may still be served.</exception>
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

    // Discards the cached maximum TTL if the server rejected an argument. The server may have restarted with a smaller maximum, and may have rejected the TTL.
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
        PageResult answer = await _pages.GetAsync(key, cancellationToken).ConfigureAwait(false);
        if (answer.Error is { } error && !_tolerance.Tolerates(error))
        {
            throw LarderDistributedCache.Failed(error, cancellationToken);
        }

        if (answer.Page is null && _requests?.HttpContext is { } request)
        {
            // The page was not found, so this request is about to render it. Store the current eviction number in the request, so that SetAsync can detect
            // evictions during the rendering.
            (long number, CacheError? unknown) = answer.Error is null
                ? await _pages.LastEvictionAsync(cancellationToken).ConfigureAwait(false)
                : (0, answer.Error);
            request.Items[(this, key)] = unknown is null ? (object)number : unknown;
        }

        return answer.Page;
    }
}
