using System.Security.Cryptography;

namespace Larder.Store.Leases;

/// <summary>The right of one caller to create the value of a key, for a limited time.</summary>
public sealed class Lease
{
    /// <summary>The length of a token, in bytes.</summary>
    public const int TokenBytes = 16;

    private readonly byte[] _token = RandomNumberGenerator.GetBytes(TokenBytes);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile bool _isVoid;

    internal Lease(Space space, ulong hash, long madeIn, long endsAtMs)
    {
        Space = space;
        Hash = hash;
        MadeIn = madeIn;
        EndsAtMs = endsAtMs;
    }

    /// <summary>Gets the token with which the holder identifies itself.</summary>
    public ReadOnlyMemory<byte> Token => _token;

    /// <summary>
    /// Gets a task that completes when the key is written or deleted, or the lease is released. It also completes when the cache is flushed, or when a lease of
    /// another cache takes the place of this lease in the shared pool. It does not complete immediately when the lease expires.
    /// </summary>
    public Task Ended => _ended.Task;

    /// <summary>Gets the expiry time on the store's clock.</summary>
    public long EndsAtMs { get; }

    internal Space Space { get; }

    /// <summary>The hash of the key.</summary>
    internal ulong Hash { get; }

    /// <summary>The node in the list of the cache's leases, which is ordered by age. Used only by the table.</summary>
    internal LinkedListNode<Lease>? Place { get; set; }

    internal long MadeIn { get; }

    /// <summary>Whether the key was written since the lease was taken. If so, the holder's value may be outdated.</summary>
    internal bool IsVoid => _isVoid;

    internal void Void() => _isVoid = true;

    internal void End() => _ended.TrySetResult();

    internal bool IsShownBy(ReadOnlySpan<byte> token) => CryptographicOperations.FixedTimeEquals(_token, token);
}
