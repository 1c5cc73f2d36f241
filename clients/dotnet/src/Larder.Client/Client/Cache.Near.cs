using System.Runtime.CompilerServices;
using Larder.Client.Near;
using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Reads from the near cache (<see cref="Configuration.NearCache"/>).</content>
public sealed partial class Cache
{
    /// <summary>
    /// Gets a value from the near cache, without a call to the server. The value is the same as the one that <see cref="GetAsync"/> would return from the near
    /// cache. No memory is allocated, unless the key is a string of more than 256 bytes, which is too long for the buffer on the stack.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value, or the default value if the method returns false. Its bytes are shared with other callers.</param>
    /// <returns>
    /// True if the near cache has a valid copy of the value. False if there is no valid copy or no near cache, or if the key or the cache's name is invalid.
    /// </returns>
    public bool TryGetNear(CacheBytes key, out CacheValue value)
    {
        NearCopy? copy = _near is not null && _invalidName is null && key.IsWellFormed ? _near.Find(Name, key) : null;
        value = copy?.Answer.Value ?? default;
        return copy is not null;
    }

    /// <inheritdoc cref="TryGetNear(CacheBytes, out CacheValue)"/>
    [OverloadResolutionPriority(1)]
    public bool TryGetNear(ReadOnlySpan<byte> key, out CacheValue value)
    {
        NearCopy? copy = _near is not null && _invalidName is null ? _near.Find(Name, key) : null;
        value = copy?.Answer.Value ?? default;
        return copy is not null;
    }

    /// <summary>Returns the valid copy for a key. Null if there is none, if the key or the cache's name is invalid, or if the caller has cancelled.</summary>
    internal NearCopy? FindCopy(in CacheBytes key, CancellationToken cancellationToken) =>
        _near is not null && _invalidName is null && key.IsWellFormed && !cancellationToken.IsCancellationRequested ? _near.Find(Name, key) : null;

    /// <inheritdoc cref="FindCopy(in CacheBytes, CancellationToken)"/>
    internal NearCopy? FindCopy(ReadOnlySpan<byte> key) => _near is not null && _invalidName is null ? _near.Find(Name, key) : null;

    /// <summary>Returns whether a copy is at least as old as <paramref name="age"/>.</summary>
    internal bool IsAtLeast(TimeSpan age, NearCopy copy) => _near!.Now - copy.SentAt >= age;

    /// <summary>Gets a value from the server, even if the near cache has a copy. The value replaces the copy.</summary>
    internal ValueTask<LookupResult<CacheValue>> GetFromServerAsync(CacheBytes key, CancellationToken cancellationToken) =>
        (_invalidName ?? Arguments.CheckKey(key)) is { } error
            ? ValueTask.FromResult(GetOperation.Fail(error))
            : _runner.Run<GetOperation, LookupResult<CacheValue>>(Name, new GetOperation(key), _timeout, cancellationToken);

    /// <summary>Stores a decoded value with a copy.</summary>
    internal void Attach(NearCopy copy, object decoded, long bytes) => _near!.State.Attach(copy, decoded, bytes);

    // Returns the hit from the near cache, or null if there is no copy. Also returns null if the caller has cancelled, so that the call continues and returns
    // the error Cancelled.
    private ItemHit? Copied(in CacheBytes key, CancellationToken cancellationToken) =>
        cancellationToken.IsCancellationRequested ? null : _near!.Find(Name, key)?.Answer;
}
