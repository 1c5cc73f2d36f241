using System.Security.Cryptography;

namespace Larder.Store.Leases;

/// <summary>The right of one caller to make the value of one key, for a while.</summary>
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

    /// <summary>What its holder shows.</summary>
    public ReadOnlyMemory<byte> Token => _token;

    /// <summary>
    /// Completes when somebody stored a value, deleted the key or gave the lease back, or the lease gave way to another cache's; not when its time is over.
    /// </summary>
    public Task Ended => _ended.Task;

    /// <summary>When its time is over, by the store's clock.</summary>
    public long EndsAtMs { get; }

    internal Space Space { get; }

    /// <summary>The hash of its key.</summary>
    internal ulong Hash { get; }

    /// <summary>Its place by age among its cache's. For the table alone.</summary>
    internal LinkedListNode<Lease>? Place { get; set; }

    internal long MadeIn { get; }

    /// <summary>Whether something was written since, so that what its holder made may be older.</summary>
    internal bool IsVoid => _isVoid;

    internal void Void() => _isVoid = true;

    internal void End() => _ended.TrySetResult();

    internal bool IsShownBy(ReadOnlySpan<byte> token) => CryptographicOperations.FixedTimeEquals(_token, token);
}
