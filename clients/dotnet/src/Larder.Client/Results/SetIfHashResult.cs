using System.Diagnostics.CodeAnalysis;

namespace Larder.Client;

/// <summary>The result of a conditional set that returns the hash of the stored value: stored, not stored, or error.</summary>
public sealed class SetIfHashResult : ICacheResult
{
    internal static readonly SetIfHashResult NotStored = new(hash: null, error: null);

    private readonly byte[]? _hash;

    private SetIfHashResult(byte[]? hash, CacheError? error)
    {
        _hash = hash;
        Error = error;
    }

    /// <summary>Gets the outcome. Use it in a <c>switch</c>.</summary>
    public SetIfOutcome Outcome => IsStored ? SetIfOutcome.Stored : IsError ? SetIfOutcome.Error : SetIfOutcome.NotStored;

    /// <summary>Gets whether the condition was met and the value was stored.</summary>
    public bool IsStored => _hash is not null;

    /// <summary>Gets whether the condition was not met. If true, the item is unchanged.</summary>
    public bool IsNotStored => _hash is null && Error is null;

    /// <summary>Gets whether the call failed.</summary>
    [MemberNotNullWhen(true, nameof(Error))]
    public bool IsError => Error is not null;

    /// <inheritdoc/>
    public CacheError? Error { get; }

    /// <summary>Gets the hash of the stored value.</summary>
    /// <exception cref="InvalidOperationException">The condition was not met, so the value was not stored.</exception>
    /// <exception cref="CacheException">The call failed.</exception>
    public ReadOnlyMemory<byte> Hash => _hash
        ?? throw (IsError ? new CacheException(Error) : new InvalidOperationException("Nothing was stored, so there is no hash; check IsStored."));

    /// <summary>Returns the outcome, or the error's message.</summary>
    public override string ToString() => Error?.Message ?? Outcome.ToString();

    internal static SetIfHashResult Stored(byte[] hash) => new(hash, error: null);

    internal static SetIfHashResult Failed(CacheError error) => new(hash: null, error);
}
